import { type ChainIdentity, decideChain, initialChain, withCheckpoints } from "./chain-identity.ts";
import { observeChain } from "./observe-chain.ts";
import type { TrustedLedger, UpstreamPool, UpstreamPorts } from "./pool.ts";
import { trustReports } from "./trusted-ledger.ts";

/** What one object of a region found out about the chain, for all of them. Plain data. */
export interface Recognition {
  readonly chain: ChainIdentity;
  /** Indexes of the upstreams that follow another chain. */
  readonly wrongChain: readonly number[];
  readonly trusted: TrustedLedger | null;
}

/** A replacement is accepted when it is seen twice, this far apart. */
const CONFIRM_AFTER_MS = 1_000;

/**
 * Compares the upstreams' blocks with the known chain's and detects a reset, a restored backup or a replacement, even
 * with the same chain id; without a known chain, learns it for that epoch. Null when no upstream responds. Never rejects.
 */
export async function recognizeChain(
  known: ChainIdentity | null,
  epoch: number,
  pool: UpstreamPool,
  ports: UpstreamPorts,
  configuredChainId: number | null,
): Promise<Recognition | null> {
  const { upstreams } = pool;
  const observe = () => Promise.all(upstreams.map((upstream) => observeChain(upstream, known, ports)));
  let observations = await observe();
  const trusted = (wrongChain: readonly number[]) => {
    const own = observations.filter((observation) => !wrongChain.includes(observation.upstream));
    return trustReports(pool.trusted, own.flatMap(reportOf), ports.now());
  };
  if (known === null) {
    const first = initialChain(observations, configuredChainId);
    if (first === null) return null;
    return { chain: { ...first.chain, epoch }, wrongChain: first.wrongChain, trusted: trusted(first.wrongChain) };
  }
  const decide = () => {
    const isEligible = (id: number): boolean => configuredChainId === null || id === configuredChainId;
    const eligible = observations.filter(
      (observation) => observation.kind !== "other" || isEligible(observation.chainId),
    );
    return decideChain(known, eligible, ports.now());
  };
  let found = decide();
  if (found.kind === "replaced") {
    await ports.sleep(CONFIRM_AFTER_MS);
    observations = await observe();
    found = decide();
  }
  if (found.kind !== "replaced")
    return { chain: found.chain, wrongChain: found.wrongChain, trusted: trusted(found.wrongChain) };
  const { chainId } = found;
  const checkpoints = withCheckpoints([], found.checkpoints);
  const chain = { epoch: Math.max(ports.now(), known.epoch + 1), chainId, checkpoints, isProvisional: false };
  return { chain: { ...chain, behindSinceMs: null }, wrongChain: [], trusted: null };
}

function reportOf(observation: Awaited<ReturnType<typeof observeChain>>) {
  return observation.kind === "unknown" ? [] : [observation.ledger];
}
