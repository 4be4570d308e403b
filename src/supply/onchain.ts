import { parseUnsigned } from "../chain/integer.ts";
import type { ReadView } from "../chain/view.ts";
import { isRecord, parseJson } from "../json.ts";
import type { LoadError, Loader, Sample } from "../swr/swr-value.ts";
import type { BaseUnits } from "./amount.ts";
import type { Asset } from "./asset.ts";

/** What exists on chain of one asset. */
export interface Supply {
  readonly baseUnits: BaseUnits;
  readonly decimals: number;
}

const METADATA = "0x1::fungible_asset::Metadata";

/**
 * Reads an asset's supply and decimals from the chain. One view counts each asset: a coin's counts the fungible asset
 * that it is paired with, so that the two forms are never added. `zeroIsBelieved` is for tokens that may be unissued.
 */
export function supplySource(read: ReadView, asset: Asset, zeroIsBelieved: boolean): Loader<Supply> {
  const [module, typeArgument, values] =
    asset.kind === "coin" ? ["0x1::coin", asset.type, []] : ["0x1::fungible_asset", METADATA, [asset.metadata]];
  const ask = (name: string): Promise<Returned | LoadError> => view(read, `${module}::${name}`, [typeArgument], values);
  return async (nowMs): Promise<Sample<Supply> | LoadError> => {
    const [supply, decimals] = await Promise.all([ask("supply"), ask("decimals")]);
    if (supply.kind === "fault") return supply;
    if (decimals.kind === "fault") return decimals;
    const baseUnits = optionalAmount(supply.value);
    if (typeof baseUnits !== "bigint") return baseUnits;
    if (!isDecimals(decimals.value)) return fault("the chain names no decimals for this asset");
    const value = { baseUnits, decimals: decimals.value };
    if (!zeroIsBelieved && wholeIsZero(value)) return fault("the chain says that nothing of this asset exists");
    const ageSeconds = Math.max(supply.ageSeconds, decimals.ageSeconds);
    return { kind: "observed", value, observedAtMs: nowMs - ageSeconds * 1000 };
  };
}

interface Returned {
  readonly kind: "returned";
  readonly value: unknown;
  readonly ageSeconds: number;
}

/** The first return value of a view function at the tip. */
async function view(
  read: ReadView,
  name: string,
  typeArguments: readonly string[],
  values: readonly string[],
): Promise<Returned | LoadError> {
  const result = await read({ function: name, typeArguments, arguments: values, ledgerVersion: null });
  if (result.kind === "unavailable") return fault("no chain node answers");
  if (result.kind === "refused") return fault(`the chain node answers ${result.status} to ${name}`);
  const [value, ...more] = result.values;
  if (value === undefined || more.length > 0) return fault(`unexpected response from view ${name}`);
  return { kind: "returned", value, ageSeconds: result.ageSeconds };
}

/** `Option<u128>` as nodes write it: `{"vec": ["123"]}`, or `{"vec": []}` for an asset whose supply is not tracked. */
function optionalAmount(value: unknown): BaseUnits | LoadError {
  const items = isRecord(value) ? value["vec"] : undefined;
  if (!Array.isArray(items) || items.length > 1) return fault("the chain's supply figure is malformed");
  const [text] = items;
  if (text === undefined) return fault("the chain does not track the supply of this asset");
  const amount = typeof text === "string" ? parseUnsigned(text, "u128") : undefined;
  return amount ?? fault("the chain's supply figure is malformed");
}

function isDecimals(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;
}

function wholeIsZero({ baseUnits, decimals }: Supply): boolean {
  return baseUnits < 10n ** BigInt(decimals);
}

/** A supply as the store keeps it. */
export const supplyText = {
  write: ({ baseUnits, decimals }: Supply): string => JSON.stringify({ base_units: String(baseUnits), decimals }),
  read: (stored: string): Supply | undefined => {
    const parsed = parseJson(stored);
    if (!isRecord(parsed)) return undefined;
    const { base_units: text, decimals } = parsed;
    const baseUnits = typeof text === "string" ? parseUnsigned(text, "u128") : undefined;
    return baseUnits === undefined || !isDecimals(decimals) ? undefined : { baseUnits, decimals };
  },
} as const;

/** Whether `claimed` is more than what exists: compared exactly, whatever the two count in. */
export function exceeds(claimed: Supply, existing: Supply): boolean {
  return claimed.baseUnits * 10n ** BigInt(existing.decimals) > existing.baseUnits * 10n ** BigInt(claimed.decimals);
}

function fault(reason: string): LoadError {
  return { kind: "fault", reason };
}
