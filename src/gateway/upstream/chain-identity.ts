import { parseU64 } from "../../chain/integer.ts";
import { isRecord, parseJson } from "../../json.ts";
import type { Ledger } from "../tip/ledger-headers.ts";
import type { KnownChain } from "./pool.ts";

/** A block by which the chain is recognized. */
export interface Checkpoint {
  readonly height: bigint;
  readonly hash: string;
}

/** What identifies a chain: its id and the hashes of some of its blocks, lowest first. Persisted. */
export interface ChainIdentity extends KnownChain {
  readonly checkpoints: readonly Checkpoint[];
  /** Learned while the preferred upstream did not respond; once it does, it decides. */
  readonly isProvisional: boolean;
  /** Since when every responding upstream has been below blocks seen before; null while one is not. */
  readonly behindSinceMs: number | null;
}

interface Observed {
  readonly upstream: number;
  readonly ledger: Ledger;
  readonly checkpoints: readonly Checkpoint[];
}

/** The result of comparing one upstream with the known chain. */
export type ChainObservation =
  | (Observed & { readonly kind: "same" })
  /** Another chain id, or another block at the height of a checkpoint. */
  | (Observed & { readonly kind: "other"; readonly chainId: number })
  /** Below blocks seen before, as when it lags or was restored from a backup. */
  | (Observed & { readonly kind: "behind" })
  | { readonly kind: "unknown"; readonly upstream: number };

/** `wrongChain`: indexes of the upstreams that follow another chain. */
export type ChainDecision =
  | { readonly kind: "same"; readonly chain: ChainIdentity; readonly wrongChain: readonly number[] }
  /** All or most responding upstreams follow another chain now. */
  | { readonly kind: "replaced"; readonly chainId: number; readonly checkpoints: readonly Checkpoint[] }
  | { readonly kind: "undecided"; readonly chain: ChainIdentity; readonly wrongChain: readonly number[] };

/** The first block after genesis and the two newest blocks seen. */
const MAX_CHECKPOINTS = 3;

/** Adds newer checkpoints: keeps the lowest and the newest. Genesis is dropped once a later block is known. */
export function withCheckpoints(known: readonly Checkpoint[], seen: readonly Checkpoint[]): Checkpoint[] {
  const byHeight = new Map([...known, ...seen].map((checkpoint) => [checkpoint.height, checkpoint]));
  const sorted = [...byHeight.values()].sort((left, right) => (left.height < right.height ? -1 : 1));
  // Every chain of a network may be built from the same genesis block, so it identifies little.
  const identifying = sorted.length > 1 ? sorted.filter(({ height }) => height > 0n) : sorted;
  const [lowest, ...rest] = identifying;
  return lowest === undefined ? [] : [lowest, ...rest.slice(1 - MAX_CHECKPOINTS)];
}

/** A chain that stays below blocks seen before for this long counts as restored from a backup. */
const BEHIND_MS = 45_000;

/**
 * Decides which chain the upstreams follow. The known chain stays while an upstream has it, unless most responding
 * upstreams follow another one, or the preferred upstream does and had never responded before.
 */
export function decideChain(
  chain: ChainIdentity,
  observations: readonly ChainObservation[],
  nowMs: number,
): ChainDecision {
  const same = observations.filter((observation) => observation.kind === "same");
  const others = observations.filter((observation) => observation.kind === "other");
  const behind = observations.filter((observation) => observation.kind === "behind");
  const largest = largestGroup(others);
  const [first] = largest;
  const isOverruled = chain.isProvisional && first?.upstream === 0;
  if (first !== undefined && behind.length === 0 && (largest.length > same.length || isOverruled))
    return { kind: "replaced", chainId: first.chainId, checkpoints: first.checkpoints };
  const wrongChain = others.map(({ upstream }) => upstream);
  if (same.length > 0) {
    const checkpoints = same.reduce<readonly Checkpoint[]>(
      (known, seen) => withCheckpoints(known, seen.checkpoints),
      chain.checkpoints,
    );
    const isProvisional = chain.isProvisional && !same.some(({ upstream }) => upstream === 0);
    return { kind: "same", chain: { ...chain, checkpoints, isProvisional, behindSinceMs: null }, wrongChain };
  }
  const [lowest] = behind;
  const sinceMs = lowest === undefined ? null : (chain.behindSinceMs ?? nowMs);
  if (lowest !== undefined && sinceMs !== null && nowMs - sinceMs >= BEHIND_MS)
    return { kind: "replaced", chainId: chain.chainId, checkpoints: lowest.checkpoints };
  // After a backward clock step, count from now on.
  const behindSinceMs = sinceMs !== null && sinceMs > nowMs ? nowMs : sinceMs;
  return { kind: "undecided", chain: { ...chain, behindSinceMs }, wrongChain };
}

type Other = Extract<ChainObservation, { kind: "other" }>;

/** The upstreams that share the most frequent chain id; on a tie, the group of the operator's preferred one. */
function largestGroup(others: readonly Other[]): readonly Other[] {
  const groups = others.map((first) => others.filter(({ chainId }) => chainId === first.chainId));
  return groups.reduce<readonly Other[]>((largest, group) => (group.length > largest.length ? group : largest), []);
}

function hashAt(checkpoints: readonly Checkpoint[], height: bigint): string | undefined {
  return checkpoints.find((checkpoint) => checkpoint.height === height)?.hash;
}

/** The chain of most upstreams, on a tie of the operator's preferred one; null when none responded. */
export function initialChain(
  observations: readonly ChainObservation[],
  configuredChainId: number | null,
): { readonly chain: ChainIdentity; readonly wrongChain: readonly number[] } | null {
  const seen = observations.filter((observation) => observation.kind === "other");
  const [first] = largestGroup(
    seen.filter(({ chainId }) => configuredChainId === null || chainId === configuredChainId),
  );
  if (first === undefined) return null;
  const isProvisional = configuredChainId === null && !seen.some(({ upstream }) => upstream === 0);
  const checkpoints = withCheckpoints([], first.checkpoints);
  const chain = { epoch: 0, chainId: first.chainId, checkpoints, isProvisional, behindSinceMs: null };
  const isOther = ({ chainId, checkpoints: own }: Other): boolean =>
    chainId !== first.chainId || own.some(({ height, hash }) => hash !== (hashAt(checkpoints, height) ?? hash));
  return { chain, wrongChain: seen.filter(isOther).map(({ upstream }) => upstream) };
}

export function serializeChain({ checkpoints, ...rest }: ChainIdentity): string {
  return JSON.stringify({ ...rest, checkpoints: checkpoints.map(({ height, hash }) => [height.toString(), hash]) });
}

/** Undefined when the text is damaged. */
export function deserializeChain(text: string): ChainIdentity | undefined {
  const stored = parseJson(text);
  if (!isRecord(stored) || !Array.isArray(stored["checkpoints"])) return undefined;
  const { epoch, chainId, isProvisional, behindSinceMs } = stored;
  if (typeof epoch !== "number" || typeof chainId !== "number" || typeof isProvisional !== "boolean") return undefined;
  const checkpoints = stored["checkpoints"].flatMap((pair: unknown) => deserializeCheckpoint(pair));
  return {
    epoch,
    chainId,
    isProvisional,
    checkpoints,
    behindSinceMs: typeof behindSinceMs === "number" ? behindSinceMs : null,
  };
}

function deserializeCheckpoint(pair: unknown): Checkpoint[] {
  const [text, hash] = Array.isArray(pair) ? pair : [];
  const height = typeof text === "string" ? parseU64(text) : undefined;
  return height === undefined || typeof hash !== "string" ? [] : [{ height, hash }];
}
