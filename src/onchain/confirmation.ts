import { instantText } from "../base/utc.ts";
import type { CachedValue } from "../swr/cached-value.ts";
import { reportsOfChain } from "./chain-problems.ts";
import { type ChainReading, isOnSeveral, type Reading, type StakingState, type WalletState } from "./reading.ts";

const UNCONFIRMED = "one node alone reports it";

/** What was reported of a reading's chains, chain by chain. */
export function reportsByChain(reading: Reading) {
  return reading.chains.map((chain) => reportsOfChain(chain, reading));
}

/**
 * A reading without what one of several configured nodes alone reported: the day's rows are made of this. null when that
 * is the supply, without which no figure is left.
 */
export function confirmedPart(reading: Reading): Reading | null {
  const several = reportsByChain(reading).filter(({ asked }) => asked > 1);
  if (several.some(({ saidBy }) => saidBy.length === 1)) return null;
  const lone = (members: readonly (StakingState | WalletState | null)[]) =>
    new Set(members.filter((member) => member?.saidBy.length === 1));
  const wallets = lone(several.flatMap((reports) => reports.wallets));
  const staking = lone(several.map((reports) => reports.staking));
  const anomaly = { kind: "unreadable", reason: UNCONFIRMED } as const;
  return {
    ...reading,
    wallets: reading.wallets.map((state) => (wallets.has(state) ? { ...state, anomaly } : state)),
    staking:
      reading.staking !== null && staking.has(reading.staking)
        ? { ...reading.staking, unreadable: UNCONFIRMED }
        : reading.staking,
  };
}

/** The nodes that reported every member of a reading, chain by chain. */
function confirmedBy({ chains }: Reading): readonly string[] {
  return chains.flatMap((chain) => (chain.missing === null ? chain.confirmedBy : []));
}

/** Which nodes said so, at which version, when. */
export function confirmationView({ value, observedAtMs }: CachedValue<Reading>) {
  const { ledgerVersion, chains } = value;
  return {
    nodes: confirmedBy(value),
    ledger_version: String(ledgerVersion),
    at: instantText(observedAtMs),
    ...(isOnSeveral(value) && { chains: chains.filter(({ missing }) => missing === null).map(chainView) }),
  };
}

function chainView({ id, confirmedBy: nodes, ledgerVersion, readAtMs }: ChainReading) {
  return { chain: id, nodes, ledger_version: String(ledgerVersion), at: instantText(readAtMs) };
}

/** The version of each chain that is in a reading, `native=12 base=7`. */
export function versionsText({ chains }: Pick<Reading, "chains">): string {
  return chains.flatMap(({ id, missing, ledgerVersion: at }) => (missing === null ? [`${id}=${at}`] : [])).join(" ");
}
