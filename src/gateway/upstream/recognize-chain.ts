import { type ChainIdentity, decideChain, initialChain, withCheckpoints } from "./chain-identity.ts";
import { observeChain } from "./observe-chain.ts";
import type { TrustedLedger, UpstreamPool, UpstreamPorts } from "./pool.ts";
import { isOutdated, trustReports } from "./trusted-ledger.ts";

/** The findings of a region's object about the chain, for all of the region. Plain data. */
export interface Recognition {
  readonly chain: ChainIdentity;
  /** Indexes of the upstreams that follow another chain. */
  readonly wrongChain: readonly number[];
  /** Indexes of the upstreams whose newest ledger is outdated. */
  readonly outdated: readonly number[];
  readonly trusted: TrustedLedger | null;
}

/** A replacement is accepted when it is seen twice, this far apart. */
const CONFIRM_AFTER_MS = 1_000;

/**
 * Compares the upstreams' blocks with the known chain's and detects a reset, a restored backup or a replacement, even
 * with the same chain id; without a known chain, learns it for that epoch. Null when no upstream responds. Never
 * rejects.
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
  const recognized = (chain: ChainIdentity, wrongChain: readonly number[]): Recognition => {
    const reports = observations.flatMap((seen) =>
      seen.kind === "unknown" || wrongChain.includes(seen.upstream) ? [] : [seen],
    );
    const ledgers = reports.map(({ ledger }) => ledger);
    const trusted = trustReports(pool.trusted, ledgers, ports.now());
    const outdated = reports.filter(
      ({ ledger }) => trusted !== null && isOutdated(ledger, trusted.ledger, ports.now()),
    );
    return { chain, wrongChain, outdated: outdated.map(({ upstream }) => upstream), trusted };
  };
  if (known === null) {
    const first = initialChain(observations, configuredChainId);
    if (first === null) return null;
    return recognized({ ...first.chain, epoch }, first.wrongChain);
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
  if (found.kind !== "replaced") return recognized(found.chain, found.wrongChain);
  const { chainId } = found;
  const checkpoints = withCheckpoints([], found.checkpoints);
  const chain = { epoch: Math.max(ports.now(), known.epoch + 1), chainId, checkpoints, isProvisional: false };
  return { chain: { ...chain, behindSinceMs: null }, wrongChain: [], outdated: [], trusted: null };
}
