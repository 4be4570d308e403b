import { readFileSync } from "node:fs";
import { NATIVE_CHAIN } from "../../../src/chain/holding.ts";
import { type ChainFamily, familyOf } from "../../../src/families/family.ts";
import type { FileHolding, FileWallet } from "../../../src/supply/file/schedule-file.ts";
import { BURN, CATEGORIES, type WalletCategory } from "../../../src/supply/schedule.ts";
import { Refusal } from "../../lib/command-line.ts";
import { type CsvRow, decodeText, readCsv } from "../../lib/csv.ts";
import { displayPath } from "../../lib/display-path.ts";
import { toolsOf } from "../../nodes/families.ts";

/** Columns of a list, in any order. Without `chain` every wallet is on the first chain. */
const COLUMNS = ["address", "label", "category", "chain"] as const;
type Column = (typeof COLUMNS)[number];
const WALLET_CATEGORIES: readonly WalletCategory[] = [...CATEGORIES, BURN];

/** What a list is checked against. */
export interface ListTerms {
  /** Family of each chain of the token, by its id. */
  readonly families: ReadonlyMap<string, ChainFamily>;
  /** Accounts that the file lists already. */
  readonly listed: readonly FileHolding[];
}

interface ListedRow extends Readonly<Record<Column, string>> {
  readonly line: number;
}

/** Reads a CSV of wallets; throws a refusal with one line per fault. */
export function readWalletList(path: string, terms: ListTerms): readonly FileWallet[] {
  const name = path === "-" ? "standard input" : displayPath(path);
  const rows = rowsIn(name, readCsv(decodeText(name, bytesOf(path)), name));
  const firstLines = new Map<string, string>(
    terms.listed.map((each) => [keyOf(each, terms), "in the file already"] as const),
  );
  const faults = rows.flatMap((row) => {
    const found = faultsOf(row, terms);
    const key = keyOf(row, terms);
    const before = firstLines.get(key);
    if (before === undefined) firstLines.set(key, `also line ${row.line}`);
    else found.push(`${row.address} is ${before}: each wallet is counted once`);
    return found.map((fault) => `${name}: line ${row.line}: ${fault}`);
  });
  if (faults.length > 0) throw new Refusal(faults);
  return rows.map(({ address, label, category, chain }) => ({
    chain,
    address,
    label,
    category: category as WalletCategory, // without a fault it is one
    holds: "account",
  }));
}

function bytesOf(path: string): Uint8Array {
  try {
    return readFileSync(path === "-" ? 0 : path);
  } catch {
    throw new Refusal([`${displayPath(path)}: cannot be read`]);
  }
}

function rowsIn(name: string, [titles, ...rows]: readonly CsvRow[]): readonly ListedRow[] {
  const found = titles?.cells.map((title) => title.toLowerCase()) ?? [];
  const unknown = found.filter((title) => !COLUMNS.some((column) => column === title));
  const missing = COLUMNS.filter((column) => column !== "chain" && !found.includes(column));
  const repeated = found.filter((title, index) => found.indexOf(title) !== index);
  const faults = [
    ...missing.map((column) => `the column ${column} is missing; the columns are ${COLUMNS.join(", ")}`),
    ...unknown.map((title) => `the column ${JSON.stringify(title)} is none of ${COLUMNS.join(", ")}`),
    ...repeated.map((title) => `the column ${title} is repeated`),
    ...(rows.length === 0 ? ["has no wallet"] : []),
  ];
  if (faults.length > 0) throw new Refusal(faults.map((fault) => `${name}: ${fault}`));
  return rows.map(({ line, cells }) => {
    const cell = (column: Column): string => cells[found.indexOf(column)] ?? "";
    return {
      line,
      address: cell("address"),
      label: cell("label"),
      category: cell("category"),
      chain: cell("chain") || NATIVE_CHAIN,
    };
  });
}

function faultsOf({ address, label, category, chain }: ListedRow, { families }: ListTerms): string[] {
  const family = families.get(chain);
  const faults: string[] = [];
  if (family === undefined)
    faults.push(`${JSON.stringify(chain)} is no chain of the file, which has ${[...families.keys()].join(", ")}`);
  else if (familyOf(family).address.parse(address) === undefined)
    faults.push(`must be ${familyOf(family).address.form}, not ${JSON.stringify(address)}`);
  else {
    const { addressProblem, foreignAddress } = toolsOf(family);
    // The wallet of another chain holds nothing on this one, so all its tokens would count as circulating.
    const problem = addressProblem(address) ?? foreignAddress(address);
    if (problem !== null) faults.push(`${address} ${problem}`);
  }
  if (label === "") faults.push("has no label");
  if (!WALLET_CATEGORIES.some((each) => each === category))
    faults.push(`the category must be one of ${WALLET_CATEGORIES.join(", ")}, not ${JSON.stringify(category)}`);
  return faults;
}

/** Identity of an account: the same address may be written in several ways. */
function keyOf({ chain, address }: Pick<FileHolding, "chain" | "address">, { families }: ListTerms): string {
  const family = families.get(chain);
  const parsed = family === undefined ? undefined : familyOf(family).address.parse(address);
  return `${chain} ${parsed ?? address}`;
}
