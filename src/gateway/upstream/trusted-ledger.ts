import type { KnownTip } from "../tip/known-tip.ts";
import type { Ledger } from "../tip/ledger-headers.ts";
import type { TrustedLedger, UpstreamPool, UpstreamPorts } from "./pool.ts";
import { readLedgerOnce } from "./probe.ts";
import { isAvailable, onContradiction, onExclusion, type Upstream } from "./state.ts";

/** A report may always be this many versions ahead of the trusted ledger. */
const SLACK_VERSIONS = 200;
/** For a moment a chain may grow this many times faster than seen before. */
const MAX_BURST = 4;
/** More than any chain of this family commits: two upstreams that differ by more contradict each other. */
const MAX_VERSIONS_PER_SECOND = 50_000;
/** An upstream whose clock is this far behind another's only lags, and cannot contradict it. */
const WITNESS_MICROS = 60_000_000n;
const MIN_SAMPLE_MS = 1_000;

/** Whether a version needs no confirmation, given the trusted ledger and its time. */
export function isPlausible({ sample, versionsPerSecond }: TrustedLedger, version: bigint, nowMs: number): boolean {
  const seconds = 1 + Math.max(0, nowMs - sample.atMs) / 1_000;
  const allowed = SLACK_VERSIONS + Math.min(MAX_BURST * versionsPerSecond * seconds, 2 ** 53);
  return version <= sample.version + BigInt(Math.ceil(allowed));
}

/** The trusted ledger after a plausible or confirmed report. A lower version changes nothing. */
export function withReport(trusted: TrustedLedger | null, ledger: Ledger, nowMs: number): TrustedLedger {
  const sample = { version: ledger.version, atMs: nowMs };
  if (trusted === null) return { ledger, sample, versionsPerSecond: 0 };
  if (ledger.version < trusted.ledger.version) return trusted;
  const elapsedMs = nowMs - trusted.sample.atMs;
  // After a backward clock step the growth rate cannot be measured.
  if (elapsedMs < 0) return { ...trusted, ledger, sample };
  if (elapsedMs < MIN_SAMPLE_MS) return { ...trusted, ledger };
  const rate = (Number(ledger.version - trusted.sample.version) * 1_000) / elapsedMs;
  const versionsPerSecond = Math.min(Math.max(rate, trusted.versionsPerSecond * 0.9), MAX_VERSIONS_PER_SECOND);
  return { ledger, sample, versionsPerSecond };
}

/** Applies in an isolate what the shields found: the chain's identity and the newest trusted ledger. */
export function learnTip(
  pool: UpstreamPool,
  tip: KnownTip | null,
  configuredChainId: number | null,
  nowMs: number,
): void {
  if (tip === null) {
    if (configuredChainId !== null) pool.chain ??= { epoch: 0, chainId: configuredChainId };
    return;
  }
  const { epoch, ledger } = tip;
  if (pool.chain !== null && pool.chain.epoch !== epoch) pool.trusted = null;
  pool.chain = { epoch, chainId: ledger.chainId };
  pool.trusted = withReport(pool.trusted, ledger, nowMs);
}

/** Whether two reports cannot describe one chain at about the same time. */
export function contradict(left: Ledger, right: Ledger): boolean {
  const [low, high] = left.version < right.version ? [left, right] : [right, left];
  const lagMicros = high.timestampMicros - low.timestampMicros;
  if (lagMicros > WITNESS_MICROS) return false;
  const seconds = lagMicros < 0n ? 0n : lagMicros / 1_000_000n;
  return high.version - low.version > (1n + seconds) * BigInt(MAX_VERSIONS_PER_SECOND);
}

/**
 * How far an upstream's ledger may be behind another's, by the chain's clock. Healthy ones differ by a second or two.
 */
const MAX_LAG_MICROS = 10_000_000n;

/**
 * Whether an upstream with this newest ledger has stopped following a chain that still grows elsewhere. A timestamp in
 * the future proves nothing: one upstream could make all others look outdated.
 */
export function isOutdated(ledger: Ledger, newest: Ledger, nowMs: number): boolean {
  const nowMicros = BigInt(Math.trunc(nowMs)) * 1_000n;
  const newestMicros = newest.timestampMicros < nowMicros ? newest.timestampMicros : nowMicros;
  return ledger.version < newest.version && newestMicros - ledger.timestampMicros > MAX_LAG_MICROS;
}

/** What to trust when upstreams report these ledgers: of the first two the higher, or the lower if they contradict. */
export function trustReports(
  trusted: TrustedLedger | null,
  [first, second]: readonly Ledger[],
  nowMs: number,
): TrustedLedger | null {
  if (first === undefined) return trusted;
  const isConfirmed = second !== undefined || trusted === null || isPlausible(trusted, first.version, nowMs);
  if (!isConfirmed) return trusted;
  const [low, high] = first.version < (second?.version ?? 0n) ? [first, second] : [second, first];
  const isLower = low !== undefined && high !== undefined && contradict(low, high);
  return withReport(trusted, (isLower ? low : high) ?? first, nowMs);
}

/**
 * The ledger to trust when an upstream reported one with a response: the report if it is plausible or confirmed, or
 * the lower one in `ledger_info` of the same upstream; null when others contradict both. Before anything is
 * trusted, every report needs to be confirmed.
 */
export async function verifyReport(upstream: Upstream, report: Ledger, ports: UpstreamPorts): Promise<Ledger | null> {
  const { pool } = ports;
  if (pool.trusted === null) await ports.learn();
  const accept = (ledger: Ledger): Ledger => {
    pool.trusted = withReport(pool.trusted, ledger, ports.now());
    return ledger;
  };
  const isPlausibleNow = (version: bigint): boolean =>
    pool.trusted !== null && isPlausible(pool.trusted, version, ports.now());
  if (isPlausibleNow(report.version)) return accept(report);
  const own = await readLedgerOnce(upstream, ports);
  if (own === null) return pool.trusted === null ? accept(report) : null;
  const claim = isPlausible(withReport(null, own, ports.now()), report.version, ports.now()) ? report : own;
  if (claim === own) upstream.state = onContradiction(upstream.state, ports.now());
  if (isPlausibleNow(claim.version) || !(await isContradicted(upstream, claim, ports))) return accept(claim);
  upstream.state = onExclusion(upstream.state, "contradicts", ports.now());
  return null;
}

/**
 * Compares with the next upstream; one that does not respond contradicts nothing. Before anything is trusted, one under
 * suspicion is not waited for: each new object would wait.
 */
async function isContradicted(claimant: Upstream, claim: Ledger, ports: UpstreamPorts): Promise<boolean> {
  const { upstreams, trusted } = ports.pool;
  const other = upstreams.find(
    (upstream) =>
      upstream !== claimant &&
      (trusted !== null || !upstream.state.isSuspect) &&
      isAvailable(upstream, "", ports.now()),
  );
  const witness = other === undefined ? null : await readLedgerOnce(other, ports);
  return witness !== null && witness.version < claim.version && contradict(witness, claim);
}
