import { aligned, type Decimal, decimalText, difference, isEqual, parseDecimal } from "./decimal.ts";

/** Wallet that the new deployment subtracts, with its balance. */
export interface ListedWallet {
  readonly label: string;
  readonly category: string;
  readonly balance: Decimal;
}

/** Facts that may explain a difference, besides the two figures. */
export interface CauseEvidence {
  /** Listed wallets, once as read before the polls and once after them. */
  readonly wallets: readonly (readonly ListedWallet[])[];
  /** Figures that each side gave in other polls. */
  readonly others: { readonly old: readonly Decimal[]; readonly new: readonly Decimal[] };
}

export interface Cause {
  readonly code: "rounding" | "unit" | "age" | "wallet" | "unknown";
  readonly detail: string;
}

type Explain = (old: Decimal, current: Decimal, evidence: CauseEvidence) => string | undefined;

/** Causes in the order in which they are tried. */
const CAUSES: readonly (readonly [Cause["code"], Explain])[] = [
  ["rounding", rounding],
  ["unit", unit],
  ["age", age],
  ["wallet", wallet],
];

/** Finds the cause of a difference, as far as it can be known. */
export function causeOf(old: Decimal, current: Decimal, evidence: CauseEvidence): Cause {
  for (const [code, explain] of CAUSES) {
    const detail = explain(old, current, evidence);
    if (detail !== undefined) return { code, detail };
  }
  const apart = difference(old, current);
  const direction = apart.units > 0n ? "greater" : "less";
  return { code: "unknown", detail: `the old figure is ${direction} by ${decimalText(magnitude(apart))}` };
}

/** Digits that a double keeps. */
const DOUBLE_DIGITS = 15;

function rounding(old: Decimal, current: Decimal): string | undefined {
  const apart = magnitude(difference(old, current));
  const lastPlace: Decimal = { units: 1n, scale: Math.min(old.scale, current.scale) };
  if (!isGreater(apart, lastPlace))
    return lastPlace.scale === 0 ? "a side rounds to whole tokens" : `a side rounds to ${lastPlace.scale} decimals`;
  const isLong = [old, current].every(
    ({ units }) => decimalText(magnitude({ units, scale: 0 })).length > DOUBLE_DIGITS,
  );
  const [left, right] = aligned(apart, magnitude(old));
  return isLong && left * 10n ** BigInt(DOUBLE_DIGITS) <= right
    ? "a side computes with floating-point numbers"
    : undefined;
}

/** Powers of ten between two units. No unit is less than a thousand times another. */
const [MIN_POWER, MAX_POWER] = [3, 30];

function unit(old: Decimal, current: Decimal): string | undefined {
  for (let power = MIN_POWER; power <= MAX_POWER; power += 1) {
    if (isScaled(old, current, power)) return `the old side counts in units that are 10^${power} times smaller`;
    if (isScaled(current, old, power)) return `the new side counts in units that are 10^${power} times smaller`;
  }
  return undefined;
}

/** Whether `small` is `great` in units 10^power times smaller, apart from what the rounding of `great` leaves out. */
function isScaled(small: Decimal, great: Decimal, power: number): boolean {
  const factor = 10n ** BigInt(power);
  const apart = magnitude(difference(small, { units: great.units * factor, scale: great.scale }));
  return great.units !== 0n && isGreater({ units: factor, scale: great.scale }, apart);
}

function age(old: Decimal, current: Decimal, { others }: CauseEvidence): string | undefined {
  if (others.new.some((each) => isEqual(each, old))) return "the new side gave the old side's figure in another poll";
  if (others.old.some((each) => isEqual(each, current)))
    return "the old side gave the new side's figure in another poll";
  return undefined;
}

function wallet(old: Decimal, current: Decimal, { wallets }: CauseEvidence): string | undefined {
  for (const some of wallets) {
    const detail = subtractedWallets(old, current, some);
    if (detail !== undefined) return detail;
  }
  return undefined;
}

function subtractedWallets(old: Decimal, current: Decimal, wallets: readonly ListedWallet[]): string | undefined {
  const apart = difference(old, current);
  const who = apart.units > 0n ? "new" : "old";
  const is = (balance: Decimal): boolean =>
    balance.units > 0n && !isGreater(magnitude(difference(balance, magnitude(apart))), ONE);
  const single = wallets.find(({ balance }) => is(balance));
  if (single !== undefined)
    return `only the ${who} side subtracts the wallet ${single.label} (${decimalText(single.balance)})`;
  const categories = Map.groupBy(wallets, ({ category }) => category);
  for (const [category, some] of categories)
    if (some.length > 1 && is(sumOf(some))) return `only the ${who} side subtracts the wallets of category ${category}`;
  const kept = wallets.filter(({ category }) => category !== "burn");
  if (kept.length > 1 && is(sumOf(kept))) return `only the ${who} side subtracts the listed wallets`;
  return undefined;
}

const ONE: Decimal = { units: 1n, scale: 0 };

function sumOf(wallets: readonly ListedWallet[]): Decimal {
  return wallets.reduce<Decimal>((sum, { balance }) => difference(sum, negated(balance)), { units: 0n, scale: 0 });
}

function negated({ units, scale }: Decimal): Decimal {
  return { units: -units, scale };
}

function magnitude({ units, scale }: Decimal): Decimal {
  return { units: units < 0n ? -units : units, scale };
}

function isGreater(one: Decimal, other: Decimal): boolean {
  return difference(one, other).units > 0n;
}

/** Reads the wallets of a breakdown; none for any other value. */
export function walletsIn(breakdown: unknown): ListedWallet[] {
  const rows = Object(breakdown)["non_circulating_wallets"];
  return (Array.isArray(rows) ? rows : []).flatMap((row: unknown): ListedWallet[] => {
    const { label, address, category, balance } = Object(row);
    const tokens = parseDecimal(String(Object(balance)["tokens"] ?? ""));
    return tokens === undefined
      ? []
      : [{ label: String(label || address), category: String(category), balance: tokens }];
  });
}
