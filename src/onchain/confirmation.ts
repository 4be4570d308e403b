import { HAS_LEGS } from "../base/built-for.ts";
import { instantText } from "../base/utc.ts";
import type { CachedValue } from "../swr/cached-value.ts";
import { isRead, type Leg, type Reading } from "./reading.ts";

/** The nodes that said every member of a reading; of one of several legs, those of each. */
export function confirmedBy({ saidBy, wallets, staking, legs }: Reading): readonly string[] {
  if (HAS_LEGS && legs !== undefined) return legs.flatMap((leg) => (leg.missing === null ? leg.confirmedBy : []));
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
    ...(HAS_LEGS && legs && { chains: legs.filter(({ missing }) => missing === null).map(legView) }),
  };
}

function legView({ id, confirmedBy: nodes, ledgerVersion, readAtMs }: Leg) {
  return { chain: id, nodes, ledger_version: String(ledgerVersion), at: instantText(readAtMs) };
}

/** The version of each leg that is in a reading, `native=12 base=7`. */
export function versionsText({ legs = [] }: Pick<Reading, "legs">): string {
  return legs.flatMap(({ id, missing, ledgerVersion: at }) => (missing === null ? [`${id}=${at}`] : [])).join(" ");
}
