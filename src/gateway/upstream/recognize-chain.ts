import { type ChainIdentity, withCheckpoints } from "./chain-identity.ts";
import { type ChainObservation, observeChain } from "./observe-chain.ts";
import type { TrustedLedger, UpstreamPorts } from "./pool.ts";
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

/** What is known of the chain by now, or an observation of the one that replaced it. */
type ChainDecision = Pick<Recognition, "chain" | "wrongChain"> | ChainObservation;

/** A replacement is accepted when it is seen twice, this far apart. */
const CONFIRM_AFTER_MS = 1_000;
/** A chain that stays below blocks seen before for this long counts as restored from a backup. */
const BEHIND_MS = 45_000;

/**
 * Compares the upstreams' blocks with the known chain's and detects a reset, a restored backup or a replacement, even
 * with the same chain id; without a known chain, learns it for that epoch. Null when no upstream responds. Never
 * rejects.
 */
export async function recognizeChain(
  known: ChainIdentity | null,
  epoch: number,
  ports: UpstreamPorts,
  configuredChainId: number | null,
): Promise<Recognition | null> {
  const observe = async () => {
    const all = await Promise.all(ports.pool.upstreams.map((upstream) => observeChain(upstream, known, ports)));
    return all.filter((observation) => observation !== null);
  };
  let seen = await observe();
  let found =
    known === null
      ? firstChain(seen, epoch, configuredChainId)
      : decideChain(known, seen, configuredChainId, ports.now());
  if (known !== null && found !== null && "kind" in found) {
    await ports.sleep(CONFIRM_AFTER_MS);
    seen = await observe();
    found = decideChain(known, seen, configuredChainId, ports.now());
  }
  if (found === null) return null;
  if ("kind" in found) {
    const chain = chainOf(found, Math.max(ports.now(), (known?.epoch ?? epoch) + 1), false);
    return { chain, wrongChain: [], outdated: [], trusted: null };
  }
  const { chain, wrongChain } = found;
  const right = seen.filter(({ upstream }) => !wrongChain.includes(upstream));
  const reports = right.map(({ ledger }) => ledger);
  const trusted = trustReports(ports.pool.trusted, reports, ports.now());
  const outdated = right.filter(({ ledger }) => trusted !== null && isOutdated(ledger, trusted.ledger, ports.now()));
  return { chain, wrongChain, outdated: outdated.map(({ upstream }) => upstream), trusted };
}

/** The chain of most upstreams, on a tie of the operator's preferred one; null when none responded. */
function firstChain(
  seen: readonly ChainObservation[],
  epoch: number,
  configuredChainId: number | null,
): ChainDecision | null {
  const [first] = largestGroup(seen, configuredChainId);
  if (first === undefined) return null;
  const chain = chainOf(first, epoch, configuredChainId === null && !seen.some(({ upstream }) => upstream === 0));
  const isOther = ({ ledger, checkpoints }: ChainObservation): boolean =>
    ledger.chainId !== chain.chainId ||
    checkpoints.some(({ height, hash }) => chain.checkpoints.some((one) => one.height === height && one.hash !== hash));
  return { chain, wrongChain: seen.filter(isOther).map(({ upstream }) => upstream) };
}

/**
 * Decides which chain the upstreams follow. The known chain stays while an upstream has it, unless most responding
 * upstreams follow another one, or the preferred upstream does and had never responded before.
 */
function decideChain(
  chain: ChainIdentity,
  seen: readonly ChainObservation[],
  configuredChainId: number | null,
  nowMs: number,
): ChainDecision {
  const seenAs = (kind: ChainObservation["kind"]) => seen.filter((observation) => observation.kind === kind);
  const [same, others, behind] = [seenAs("same"), seenAs("other"), seenAs("behind")];
  const largest = largestGroup(others, configuredChainId);
  const [replacement] = largest;
  const isOverruled = chain.isProvisional && replacement?.upstream === 0;
  if (replacement !== undefined && behind.length === 0 && (largest.length > same.length || isOverruled))
    return replacement;
  const wrongChain = others.map(({ upstream }) => upstream);
  if (same.length > 0) {
    const checkpoints = withCheckpoints(
      chain.checkpoints,
      same.flatMap((observation) => observation.checkpoints),
    );
    const isProvisional = chain.isProvisional && !same.some(({ upstream }) => upstream === 0);
    return { chain: { ...chain, checkpoints, isProvisional, behindSinceMs: null }, wrongChain };
  }
  const [restored] = behind;
  if (restored === undefined) return { chain: { ...chain, behindSinceMs: null }, wrongChain };
  // After a backward clock step, count from now on.
  const behindSinceMs = Math.min(chain.behindSinceMs ?? nowMs, nowMs);
  return nowMs - behindSinceMs >= BEHIND_MS ? restored : { chain: { ...chain, behindSinceMs }, wrongChain };
}

function chainOf({ ledger, checkpoints }: ChainObservation, epoch: number, isProvisional: boolean): ChainIdentity {
  const { chainId } = ledger;
  return { epoch, chainId, checkpoints: withCheckpoints([], checkpoints), isProvisional, behindSinceMs: null };
}

/** The upstreams that share the most frequent chain id; on a tie, the group of the operator's preferred one. */
function largestGroup(
  others: readonly ChainObservation[],
  configuredChainId: number | null,
): readonly ChainObservation[] {
  const eligible = others.filter(({ ledger }) => configuredChainId === null || ledger.chainId === configuredChainId);
  const groups = eligible.map((first) => eligible.filter(({ ledger }) => ledger.chainId === first.ledger.chainId));
  return groups.reduce<readonly ChainObservation[]>((max, group) => (group.length > max.length ? group : max), []);
}
