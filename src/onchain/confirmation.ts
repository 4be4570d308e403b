import { instantText } from "../base/utc.ts";
import type { CachedValue } from "../swr/cached-value.ts";
import { reportsOfLeg } from "./leg-problems.ts";
import { isRead, type Leg, type Reading, type StakingState, type WalletState } from "./reading.ts";

const UNCONFIRMED = "one node alone reports it";

/** What was reported of a reading's chains, chain by chain. */
export function reportsByChain(reading: Reading) {
  const { legs } = reading;
  return legs !== undefined ? legs.map((leg) => reportsOfLeg(leg, reading)) : [reading];
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

/** The nodes that said every member of a reading; of one of several legs, those of each. */
export function confirmedBy({ saidBy, wallets, staking, legs }: Reading): readonly string[] {
  if (legs !== undefined) return legs.flatMap((leg) => (leg.missing === null ? leg.confirmedBy : []));
  const members = [...wallets.filter(isRead), ...(staking?.unreadable === null ? [staking] : [])];
  return saidBy.filter((node) => members.every((member) => member.saidBy.includes(node)));
}

/** Which nodes said so, at which version, when. */
export function confirmationView({ value, observedAtMs }: CachedValue<Reading>) {
  const { ledgerVersion, legs } = value;
  return {
    nodes: confirmedBy(value),
    ledger_version: String(ledgerVersion),
    at: instantText(observedAtMs),
    ...(legs && { chains: legs.filter(({ missing }) => missing === null).map(legView) }),
  };
}

function legView({ id, confirmedBy: nodes, ledgerVersion, readAtMs }: Leg) {
  return { chain: id, nodes, ledger_version: String(ledgerVersion), at: instantText(readAtMs) };
}

/** The version of each leg that is in a reading, `native=12 base=7`. */
export function versionsText({ legs = [] }: Pick<Reading, "legs">): string {
  return legs.flatMap(({ id, missing, ledgerVersion: at }) => (missing === null ? [`${id}=${at}`] : [])).join(" ");
}
