import { believeReports } from "./believed-ledger.ts";
import { type ChainIdentity, firstChain, verdictOn, withAnchors } from "./chain-identity.ts";
import type { BelievedLedger, UpstreamPool, UpstreamPorts } from "./pool.ts";
import { sightUpstream } from "./sight-upstream.ts";

/** What one object of a region found out about the chain, for all of them. Plain data. */
export interface Recognition {
  readonly chain: ChainIdentity;
  /** Indexes of the upstreams that follow another chain. */
  readonly strangers: readonly number[];
  readonly believed: BelievedLedger | null;
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
  const sight = () => Promise.all(upstreams.map((upstream) => sightUpstream(upstream, known, ports)));
  let sightings = await sight();
  const believed = (strangers: readonly number[]) => {
    const own = sightings.filter((sighting) => !strangers.includes(sighting.upstream));
    return believeReports(pool.believed, own.flatMap(reportOf), ports.now());
  };
  if (known === null) {
    const first = firstChain(sightings, configuredChainId);
    if (first === null) return null;
    return { chain: { ...first.chain, epoch }, strangers: first.strangers, believed: believed(first.strangers) };
  }
  const verdict = () => {
    const isEligible = (id: number): boolean => configuredChainId === null || id === configuredChainId;
    const eligible = sightings.filter((sighting) => sighting.kind !== "other" || isEligible(sighting.chainId));
    return verdictOn(known, eligible, ports.now());
  };
  let found = verdict();
  if (found.kind === "replaced") {
    await ports.sleep(CONFIRM_AFTER_MS);
    sightings = await sight();
    found = verdict();
  }
  if (found.kind !== "replaced")
    return { chain: found.chain, strangers: found.strangers, believed: believed(found.strangers) };
  const { chainId } = found;
  const anchors = withAnchors([], found.anchors);
  const chain = { epoch: Math.max(ports.now(), known.epoch + 1), chainId, anchors, isProvisional: false };
  return { chain: { ...chain, behindSinceMs: null }, strangers: [], believed: null };
}

function reportOf(sighting: Awaited<ReturnType<typeof sightUpstream>>) {
  return sighting.kind === "unknown" ? [] : [sighting.ledger];
}
