import { dayText } from "../../src/base/utc.ts";
import { type BaseUnits, tokenText } from "../../src/chain/amount.ts";
import { lockedAt, stateOf, sumOf } from "../../src/onchain/reading.ts";
import { percentText } from "../../src/supply/representations.ts";
import { BURN, bucketsOf, type Schedule } from "../../src/supply/schedule.ts";
import { nextUnlock } from "../../src/supply/unlock-events.ts";
import { isBurned, referenceOf, type Wallet, walletsOf } from "../../src/supply/wallets.ts";
import type { ChainReading } from "../chain-reading.ts";
import { coingeckoSupplySheet, transparencySheet } from "./answer-sheets.ts";
import { FORMS, UPBIT_CURRENCIES } from "./forms.ts";
import { planSheet, type Recorded } from "./plan-sheet.ts";
import { type Sheet, sheet } from "./sheet.ts";
import { cumulativeSheet, unlockSheet } from "./unlock-sheets.ts";

/** What the sheets are made of: the schedule and one reading, at the instant of its ledger version. */
export interface Facts {
  readonly schedule: Schedule;
  readonly reading: ChainReading;
  readonly atMs: number;
  /** The deployment's origin. */
  readonly url: string;
  /** A wallet's page, with `{address}` in it; null: the operator names no explorer. */
  readonly explorer: string | null;
  /** What the deployment has recorded before that day, oldest first. */
  readonly recorded: readonly Recorded[];
}

export function sheetsOf(facts: Facts): readonly Sheet[] {
  return [
    supplySheet(facts),
    walletSheet(facts),
    unlockSheet(facts.schedule),
    coingeckoSupplySheet(facts),
    lockedSheet(facts),
    burnSheet(facts),
    modifierSheet(facts),
    transparencySheet(facts),
    cumulativeSheet(facts.schedule),
    planSheet(facts),
  ];
}

function supplySheet({ schedule, reading, url, explorer }: Facts): Sheet {
  const { circulating, held, total } = reading.amounts;
  const text = (amount: BaseUnits): string => tokenText(amount, schedule.token.decimals);
  const cells = [
    ["Circulating Supply (CS)", "", text(circulating)],
    ["Total Supply (TS)", "", text(total)],
    ["Max Supply (MS)", "", text(schedule.maxSupply)],
    ["Total supply API endpoint", "", `${url}/api/total-supply`],
    ["Circulating supply API endpoint", "", `${url}/api/circulating-supply-on-chain`],
    ["Explorer URL", "", explorer === null ? "" : new URL(explorer).origin],
    ["Richlist URL", "", ""],
  ];
  const what = "circulating and the project's wallets are the total";
  return sheet(FORMS.cmcSupply, cells, [
    { what, parts: [cells[0]?.[2] ?? "", text(held)], total: cells[1]?.[2] ?? "" },
  ]);
}

/** One line per address, which may hold tokens in several ways. */
interface Line {
  readonly address: string;
  readonly amount: BaseUnits;
  readonly label: string;
  readonly heldAs: string;
  readonly lock: string;
  readonly allocation: string;
  readonly date: string;
}

function linesOf(facts: Facts, keeps: (wallet: Wallet) => boolean): Line[] {
  const { schedule, reading, atMs } = facts;
  const groups = Map.groupBy(walletsOf(schedule).filter(keeps), ({ address }) => address);
  return [...groups].map(([address, wallets]) => {
    const joined = (text: (wallet: Wallet) => string): string => [...new Set(wallets.map(text))].join("; ");
    return {
      address,
      amount: sumOf(wallets.flatMap((wallet) => stateOf(wallet, reading.reading.wallets) ?? [])),
      label: joined(({ label }) => label),
      heldAs: joined((wallet) => {
        const { pool, operator } = referenceOf(wallet);
        return [wallet.holds, pool ?? operator].filter((word) => word !== null).join(" ");
      }),
      lock: joined((wallet) => lockOf(facts, wallet)),
      allocation: joined((wallet) => allocationOf(schedule, wallet)),
      date: joined(({ bucket }) => (bucket === null ? "" : dateOf(nextUnlock(schedule, atMs, bucket)?.atMs))),
    };
  });
}

function lockOf({ schedule, reading, atMs }: Facts, { bucket, category }: Wallet): string {
  if (bucket === null) return category === BURN ? "burned" : "unlocked";
  const locked = lockedAt(schedule, bucket, atMs);
  const wallets = walletsOf(schedule).filter((wallet) => wallet.bucket === bucket);
  const held = sumOf(wallets.flatMap((wallet) => stateOf(wallet, reading.reading.wallets) ?? []));
  if (locked === 0n) return "unlocked";
  if (locked >= held) return "locked";
  return `locked: ${tokenText(locked, schedule.token.decimals)} of the allocation's wallets`;
}

function allocationOf(schedule: Schedule, { bucket, category }: Wallet): string {
  return bucketsOf(schedule).find(({ id }) => id === bucket)?.label ?? category;
}

function walletSheet(facts: Facts): Sheet {
  const { schedule, reading, url, explorer } = facts;
  const { minted, total, circulating } = reading.amounts;
  const text = (amount: BaseUnits): string => tokenText(amount, schedule.token.decimals);
  const cells = linesOf(facts, () => true).map(({ address, amount, label, lock, allocation, date }) => [
    address,
    text(amount),
    lock === "burned" ? "" : percentText(amount, total),
    label,
    lock,
    allocation,
    "",
    date,
    pageOf(explorer, address) || `${url}/api/supply-breakdown`,
  ]);
  const what = "the wallets, burned ones included, are what exists and does not circulate";
  return sheet(FORMS.cmcWallets, cells, [{ what, parts: column(cells, 1), total: text(minted - circulating) }]);
}

function lockedSheet(facts: Facts): Sheet {
  const { schedule, reading, explorer } = facts;
  const { total, held } = reading.amounts;
  const { decimals } = schedule.token;
  const cells = linesOf(facts, (wallet) => !isBurned(wallet)).map(({ address, label, amount, heldAs }) => [
    address,
    label,
    tokenText(amount, decimals),
    percentText(amount, total),
    heldAs,
    pageOf(explorer, address),
  ]);
  const what = "the locked wallets are the total less circulating";
  return sheet(FORMS.coingeckoWallets, cells, [{ what, parts: column(cells, 2), total: tokenText(held, decimals) }]);
}

function burnSheet(facts: Facts): Sheet {
  const { decimals } = facts.schedule.token;
  const cells = linesOf(facts, isBurned).map(({ address, label, amount }) => [
    address,
    label,
    tokenText(amount, decimals),
    pageOf(facts.explorer, address),
  ]);
  const { minted, total } = facts.reading.amounts;
  const what = "the burn wallets are what was minted less the total";
  return sheet(FORMS.coingeckoBurns, cells, [
    { what, parts: column(cells, 2), total: tokenText(minted - total, decimals) },
  ]);
}

function modifierSheet(facts: Facts): Sheet {
  const { decimals } = facts.schedule.token;
  const cells = linesOf(facts, () => true).map(({ address, label, amount }) => [
    "",
    pageOf(facts.explorer, address),
    label,
    address,
    tokenText(amount, decimals),
  ]);
  const { minted, circulating } = facts.reading.amounts;
  const what = "the modifiers are what was minted less circulating";
  return sheet(FORMS.coinranking, cells, [
    { what, parts: column(cells, 4), total: tokenText(minted - circulating, decimals) },
  ]);
}

/** Upbit's records, with exact decimals: a JSON number of our own, because a double has too few digits. */
export function upbitText({ schedule, reading, atMs }: Facts): string {
  const { token, maxSupply } = schedule;
  const records = UPBIT_CURRENCIES.map((currency) => {
    const values: Readonly<Record<(typeof FORMS.upbit.columns)[number], string>> = {
      symbol: JSON.stringify(token.symbol),
      currencyCode: JSON.stringify(currency),
      price: "null",
      marketCap: "null",
      accTradePrice24h: "null",
      circulatingSupply: tokenText(reading.amounts.circulating, token.decimals),
      maxSupply: tokenText(maxSupply, token.decimals),
      provider: JSON.stringify(token.name),
      lastUpdatedTimestamp: String(atMs),
    };
    return `  { ${FORMS.upbit.columns.map((name) => `"${name}": ${values[name]}`).join(", ")} }`;
  });
  return `[\n${records.join(",\n")}\n]\n`;
}

function column(cells: Sheet["rows"], index: number): string[] {
  return cells.map((row) => row[index] ?? "");
}

function pageOf(explorer: string | null, address: string): string {
  return explorer?.replaceAll("{address}", address) ?? "";
}

/** `DD/MM/YYYY`. */
function dateOf(ms: number | undefined): string {
  return ms === undefined ? "" : dayText(ms).split("-").reverse().join("/");
}
