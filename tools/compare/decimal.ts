/** Exact decimal: `units` divided by ten to the power of `scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

const FORM = /^(-?)(\d{1,80})(?:\.(\d{1,80}))?(?:[eE]([+-]?\d{1,3}))?$/;
const MAX_EXPONENT = 100;

/** Parses a number, also in JSON's notation; undefined for any other text. */
export function parseDecimal(text: string): Decimal | undefined {
  const [, sign = "", whole = "", fraction = "", exponentText = "0"] = FORM.exec(text) ?? [];
  const exponent = Number(exponentText);
  if (whole === "" || Math.abs(exponent) > MAX_EXPONENT) return undefined;
  const units = BigInt(sign + whole + fraction);
  const scale = fraction.length - exponent;
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

/** Writes both numbers in units of the same scale. */
export function aligned(one: Decimal, other: Decimal): readonly [bigint, bigint, scale: number] {
  const scale = Math.max(one.scale, other.scale);
  const unitsAt = ({ units, scale: from }: Decimal) => units * 10n ** BigInt(scale - from);
  return [unitsAt(one), unitsAt(other), scale];
}

export function difference(one: Decimal, other: Decimal): Decimal {
  const [left, right, scale] = aligned(one, other);
  return { units: left - right, scale };
}

export function isEqual(one: Decimal, other: Decimal): boolean {
  return difference(one, other).units === 0n;
}

/** Writes a decimal without trailing zeros. */
export function decimalText({ units, scale }: Decimal): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0");
  const fraction = scale === 0 ? "" : digits.slice(-scale).replace(/0+$/, "");
  const whole = scale === 0 ? digits : digits.slice(0, -scale);
  return `${units < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

/** Difference between two numbers in percent of the greater one. */
export function percentApart(one: Decimal, other: Decimal): number {
  const [left, right] = aligned(one, other)
    .slice(0, 2)
    .map((units) => (BigInt(units) < 0n ? -BigInt(units) : BigInt(units)));
  const greatest = (left ?? 0n) > (right ?? 0n) ? left : right;
  const { units } = difference(one, other);
  if (greatest === undefined || greatest === 0n) return 0;
  const apart = units < 0n ? -units : units;
  return Number((apart * PARTS) / greatest) / (Number(PARTS) / 100);
}

const PARTS = 10n ** 14n;
