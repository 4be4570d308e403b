import { sharedKeyOf } from "./caller.ts";
import { type PackedDecision, packRefused } from "./decision.ts";
import type { LimiterPorts, ShardCalls } from "./shard-link.ts";

/** The platform's rate limiting binding: approximate counts per location, without a network hop. */
export interface CoarseLimit {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

/** The bound limits, each far above every quota; null when not bound. */
export interface FloodLimits {
  /** Per caller, ten times the larger quota. */
  readonly caller: CoarseLimit | null;
  /** Per IPv6 /48, ten times that: many legitimate callers share one. */
  readonly network: CoarseLimit | null;
}

/** The period of the bindings, after which a flood is checked again. */
const RETRY_MS = 10_000;

/**
 * Refuses floods before they reach a limiter object, whose other callers would otherwise suffer. Below the coarse
 * limits every call passes through; if a limit fails, the call passes.
 */
export function guardedShardStub(
  stubOf: LimiterPorts["shardStub"],
  { caller, network }: FloodLimits,
): LimiterPorts["shardStub"] {
  if (caller === null && network === null) return stubOf;
  const isFlood = async (key: string): Promise<boolean> => {
    const shared = sharedKeyOf(key);
    const checks = [exceeds(caller, key), shared !== null && exceeds(network, shared)];
    return (await Promise.all(checks)).includes(true);
  };
  return (name, region) => {
    const stub = stubOf(name, region);
    return () => guarded(stub, isFlood);
  };
}

function guarded(stub: () => ShardCalls, isFlood: (key: string) => Promise<boolean>): ShardCalls {
  const refused: PackedDecision = packRefused(RETRY_MS);
  return {
    take: async (key, ...rest) => ((await isFlood(key)) ? refused : stub().take(key, ...rest)),
    // A peek counts against no quota, so preflights have their own coarse limit.
    peek: async (key, ...rest) => ((await isFlood(`peek ${key}`)) ? refused : stub().peek(key, ...rest)),
    // Only follows an admitted request.
    note: (...all) => stub().note(...all),
  };
}

async function exceeds(coarse: CoarseLimit | null, key: string): Promise<boolean> {
  try {
    return coarse !== null && !(await coarse.limit({ key })).success;
  } catch {
    return false;
  }
}
