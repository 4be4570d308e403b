import { dayText } from "../../src/base/utc.ts";
import { type BaseUnits, tokenText } from "../../src/chain/amount.ts";
import { NATIVE_CHAIN } from "../../src/chain/holding.ts";
import { hasSeveralChains, stateOf, sumOfBalances, toTokenUnits } from "../../src/onchain/reading.ts";
import { lockedAt } from "../../src/supply/above-plan.ts";
import { constantsAt } from "../../src/supply/constants.ts";
import { percentText } from "../../src/supply/representations.ts";
import { BURN, bucketsOf, hasUnlocks, type Schedule } from "../../src/supply/schedule.ts";
import { nextPlannedUnlock } from "../../src/supply/unlock-events.ts";
import { isBurned, isBurnedForGood, referenceOf, type Wallet, walletsOf } from "../../src/supply/wallets.ts";
import { bareQuery } from "../lib/bare-query.ts";
import { chainsSheet, coingeckoSupplySheet, transparencySheet } from "./answer-sheets.ts";
import { chainText, circulatingAddress, type Facts, maximumText } from "./facts.ts";
import { FORMS, UPBIT_CURRENCIES } from "./forms.ts";
import { planSheet } from "./plan-sheet.ts";
import { type Sheet, sheet } from "./sheet.ts";
import { cumulativeSheet, unlockSheet } from "./unlock-sheets.ts";

export function sheetsOf(facts: Facts): readonly Sheet[] {
  const { schedule } = facts;
  return [
    supplySheet(facts),
    walletSheet(facts),
    ...(hasUnlocks(schedule) ? [unlockSheet(schedule)] : []),
    coingeckoSupplySheet(facts),
    lockedSheet(facts),
    burnSheet(facts),
    modifierSheet(facts),
    ...(hasSeveralChains(facts.reading.reading) ? [chainsSheet(facts)] : []),
    transparencySheet(facts),
    ...(hasUnlocks(schedule) ? [cumulativeSheet(schedule), planSheet(facts, schedule)] : []),
  ];
}

function supplySheet(facts: Facts): Sheet {
  const { schedule, reading, url, explorer } = facts;
  const { circulating, held, total } = reading.amounts;
  const text = (amount: BaseUnits): string => chainText(facts, amount);
  const cells = [
    ["Circulating Supply (CS)", "", text(circulating)],
    ["Total Supply (TS)", "", text(total)],
    ["Max Supply (MS)", "", maximumText(schedule)],
    ["Total supply API endpoint", "", `${url}/api/total-supply${bareQuery(schedule)}`],
    ["Circulating supply API endpoint", "", circulatingAddress(facts, bareQuery(schedule))],
    ["Explorer URL", "", explorer === null ? "" : new URL(explorer).origin],
    ["Richlist URL", "", ""],
  ];
  const what = "circulating and the project's wallets are the total";
  return sheet(FORMS.cmcSupply, cells, [
    { what, parts: [cells[0]?.[2] ?? "", text(held)], total: cells[1]?.[2] ?? "" },
  ]);
}

/** Row of one address on one chain; the address may hold tokens in several ways. */
interface AddressRow {
  readonly chain: string;
  readonly address: string;
  readonly amount: BaseUnits;
  readonly label: string;
  readonly heldAs: string;
  readonly lock: string;
  readonly allocation: string;
  readonly date: string;
  /** URL of the source of a constant, which has no address; absent: the amount is a balance. */
  readonly source?: string;
}

/** Makes the rows of addresses, then those of the constants. */
function amountRows(facts: Facts, keeps: (wallet: Wallet) => boolean, isConstantIn = (_isBurned: boolean) => true) {
  return [...addressRows(facts, keeps), ...constantRows(facts, isConstantIn)];
}

function constantRows({ schedule, reading, atMs }: Facts, isIn: (isBurned: boolean) => boolean): AddressRow[] {
  const scale = 10n ** BigInt(reading.reading.extraDecimals ?? 0);
  return constantsAt(schedule, atMs)
    .filter((constant) => isIn(isBurned(constant)))
    .map((constant) => ({
      chain: "",
      address: "",
      amount: constant.amount * scale,
      label: constant.label,
      heldAs: `stated on ${dayText(constant.fromMs)}`,
      lock: isBurned(constant) ? "burned" : "stated",
      allocation: constant.category,
      date: "",
      source: constant.source,
    }));
}

function addressRows(facts: Facts, keeps: (wallet: Wallet) => boolean): AddressRow[] {
  const { schedule, reading, atMs } = facts;
  const groups = Map.groupBy(walletsOf(schedule).filter(keeps), ({ chain, address }) => `${chain} ${address}`);
  return [...groups].map(([key, wallets]) => {
    const [chain = "", address = ""] = key.split(" ");
    const joined = (text: (wallet: Wallet) => string): string => [...new Set(wallets.map(text))].join("; ");
    return {
      chain,
      address,
      amount: sumOfBalances(wallets.flatMap((wallet) => stateOf(wallet, reading.reading.wallets) ?? [])),
      label: joined(({ label }) => label),
      heldAs: joined((wallet) => {
        const reference = Object.values(referenceOf(wallet));
        return [wallet.holds, ...reference].filter((word) => word !== null).join(" ");
      }),
      lock: joined((wallet) => lockOf(facts, wallet)),
      allocation: joined((wallet) => allocationOf(schedule, wallet)),
      date: joined(({ bucket }) => (bucket === null ? "" : dateOf(nextPlannedUnlock(schedule, atMs, bucket)?.atMs))),
    };
  });
}

function lockOf({ schedule, reading, atMs }: Facts, { bucket, category }: Wallet): string {
  if (bucket === null) return category === BURN ? "burned" : "unlocked";
  const locked = lockedAt(schedule, bucket, atMs);
  const wallets = walletsOf(schedule).filter((wallet) => wallet.bucket === bucket);
  const held = toTokenUnits(
    sumOfBalances(wallets.flatMap((wallet) => stateOf(wallet, reading.reading.wallets) ?? [])),
    reading.reading,
  );
  if (locked === 0n) return "unlocked";
  if (locked >= held) return "locked";
  return `locked: ${tokenText(locked, schedule.token.decimals)} of the allocation's wallets`;
}

function allocationOf(schedule: Schedule, { bucket, category }: Wallet): string {
  return bucketsOf(schedule).find(({ id }) => id === bucket)?.label ?? category;
}

function walletSheet(facts: Facts): Sheet {
  const { minted, total, circulating } = facts.reading.amounts;
  const lines = amountRows(facts, () => true);
  const cells = lines.map((line) => [
    line.address,
    chainText(facts, line.amount),
    line.lock === "burned" ? "" : percentText(line.amount, total),
    line.label,
    line.lock,
    line.allocation,
    "",
    line.date,
    pageOf(facts, line) || `${facts.url}/api/supply-breakdown`,
  ]);
  const what = "the wallets, burned ones included, are what exists and does not circulate";
  const sum = { what, parts: column(cells, 1), total: chainText(facts, minted - circulating) };
  return withChainColumn(facts, lines, sheet(FORMS.cmcWallets, cells, [sum]));
}

function lockedSheet(facts: Facts): Sheet {
  const { schedule, reading } = facts;
  const { total, held } = reading.amounts;
  const isHeld = (wallet: Wallet) => !isBurnedForGood(schedule)(wallet);
  const lines = amountRows(facts, isHeld, (isBurnedConstant) => !isBurnedConstant);
  const cells = lines.map((line) => [
    line.address,
    line.label,
    chainText(facts, line.amount),
    percentText(line.amount, total),
    line.heldAs,
    pageOf(facts, line),
  ]);
  const what = "the locked wallets are the total less circulating";
  const sum = { what, parts: column(cells, 2), total: chainText(facts, held) };
  return withChainColumn(facts, lines, sheet(FORMS.coingeckoWallets, cells, [sum]));
}

function burnSheet(facts: Facts): Sheet {
  const lines = amountRows(facts, isBurnedForGood(facts.schedule), (isBurnedConstant) => isBurnedConstant);
  const cells = lines.map((line) => [line.address, line.label, chainText(facts, line.amount), pageOf(facts, line)]);
  const { minted, total } = facts.reading.amounts;
  const what = "the burn wallets are what was minted less the total";
  const sum = { what, parts: column(cells, 2), total: chainText(facts, minted - total) };
  return withChainColumn(facts, lines, sheet(FORMS.coingeckoBurns, cells, [sum]));
}

function modifierSheet(facts: Facts): Sheet {
  const cells = amountRows(facts, () => true).map((line) => [
    line.chain === NATIVE_CHAIN ? "" : line.chain,
    pageOf(facts, line),
    line.label,
    line.address,
    chainText(facts, line.amount),
  ]);
  const { minted, circulating } = facts.reading.amounts;
  const what = "the modifiers are what was minted less circulating";
  return sheet(FORMS.coinranking, cells, [
    { what, parts: column(cells, 4), total: chainText(facts, minted - circulating) },
  ]);
}

/** Adds a column with the chain of each line, if the token is on several chains. */
function withChainColumn(
  { reading }: Facts,
  lines: readonly AddressRow[],
  { form, columns, rows, sums }: Sheet,
): Sheet {
  if (!hasSeveralChains(reading.reading)) return { form, columns, rows, sums };
  return sheet(
    form,
    rows.map((row, index) => [lines[index]?.chain ?? "", ...row]),
    sums,
    ["Chain", ...columns],
  );
}

/** Writes Upbit's records. The numbers are written by hand, because a double has too few digits. */
export function upbitText(facts: Facts): string {
  const { schedule, reading, atMs } = facts;
  const { token, maxSupply } = schedule;
  const records = UPBIT_CURRENCIES.map((currency) => {
    const values: Readonly<Record<(typeof FORMS.upbit.columns)[number], string>> = {
      symbol: JSON.stringify(token.symbol),
      currencyCode: JSON.stringify(currency),
      price: "null",
      marketCap: "null",
      accTradePrice24h: "null",
      circulatingSupply: chainText(facts, reading.amounts.circulating),
      maxSupply: maxSupply === null ? "null" : tokenText(maxSupply, token.decimals),
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

/** Page of an address in the explorer, which the brand names for the first chain only; or the source of a constant. */
function pageOf({ explorer }: Facts, { chain, address, source }: AddressRow): string {
  if (source !== undefined) return source;
  return (chain === NATIVE_CHAIN && explorer?.replaceAll("{address}", address)) || "";
}

/** Writes a day as `DD/MM/YYYY`. */
function dateOf(ms: number | undefined): string {
  return ms === undefined ? "" : dayText(ms).split("-").reverse().join("/");
}
