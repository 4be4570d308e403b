import { instantText } from "../base/utc.ts";
import type { SharePriceState } from "../chain/share-price.ts";
import type { CachedValue } from "../swr/cached-value.ts";
import { membersReadOnChain } from "./chain-problems.ts";
import {
  type ChainState,
  hasSeveralChains,
  type LastWalletBalance,
  type Reading,
  type StakingState,
} from "./reading.ts";

const UNCONFIRMED = "one node alone reports it";

/** Members of a reading by the chain that they were read on. */
export function reportsByChain(reading: Reading) {
  return reading.chains.map((chain) => membersReadOnChain(chain, reading));
}

/**
 * Removes from a reading what only one of several configured nodes reported; the daily rows are made of the rest.
 * Returns null when that is the supply, without which there is no figure.
 */
export function confirmedPart(reading: Reading): Reading | null {
  const several = reportsByChain(reading).filter(({ nodeCount }) => nodeCount > 1);
  if (several.some(({ confirmedBy }) => confirmedBy.length === 1)) return null;
  const lone = (members: readonly (StakingState | LastWalletBalance | SharePriceState | null)[]) =>
    new Set(members.filter((member) => member?.confirmedBy.length === 1));
  const wallets = lone(several.flatMap((reports) => reports.wallets));
  const staking = lone(several.map((reports) => reports.staking));
  const prices = lone(several.flatMap((reports) => reports.prices));
  const anomaly = { kind: "unreadable", reason: UNCONFIRMED } as const;
  return {
    ...reading,
    wallets: reading.wallets.map((state) => (wallets.has(state) ? { ...state, anomaly } : state)),
    staking:
      reading.staking !== null && staking.has(reading.staking)
        ? { ...reading.staking, unreadable: UNCONFIRMED }
        : reading.staking,
    ...(reading.prices && {
      prices: reading.prices.map((state) => (prices.has(state) ? { ...state, unreadable: UNCONFIRMED } : state)),
    }),
  };
}

/** Labels of the nodes that reported every member of a reading on their chain. */
function confirmingNodes({ chains }: Reading): readonly string[] {
  return chains.flatMap((chain) => (chain.missing === null ? chain.fullyConfirmedBy : []));
}

/** View of `confirmed_by`: the nodes that reported the figures, with the version and the time. */
export function confirmationView({ value, observedAtMs }: CachedValue<Reading>) {
  const { ledgerVersion, chains } = value;
  return {
    nodes: confirmingNodes(value),
    ledger_version: String(ledgerVersion),
    at: instantText(observedAtMs),
    ...(hasSeveralChains(value) && { chains: chains.filter(({ missing }) => missing === null).map(chainView) }),
  };
}

function chainView({ id, fullyConfirmedBy, ledgerVersion, readAtMs }: ChainState) {
  return { chain: id, nodes: fullyConfirmedBy, ledger_version: String(ledgerVersion), at: instantText(readAtMs) };
}

/** Writes the version of each chain that a reading has: `native=12 base=7`. */
export function versionsText({ chains }: Pick<Reading, "chains">): string {
  return chains.flatMap(({ id, missing, ledgerVersion: at }) => (missing === null ? [`${id}=${at}`] : [])).join(" ");
}
