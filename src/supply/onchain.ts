import type { BaseUnits } from "../chain/amount.ts";
import { parseUnsigned } from "../chain/integer.ts";
import type { ReadView, ViewCall } from "../chain/view.ts";
import { isRecord, parseJson } from "../json.ts";
import type { LoadError, Loader, Sample } from "../swr/swr-value.ts";
import type { Asset } from "./asset.ts";

/** The on-chain supply of one asset. */
export interface Supply {
  readonly baseUnits: BaseUnits;
  readonly decimals: number;
  /** Null when the node reported none. */
  readonly ledgerVersion: bigint | null;
}

const METADATA = "0x1::fungible_asset::Metadata";

/** A supply with the ledger version at which it was read; null when the node reported none. */
interface ReadSupply extends Supply {
  readonly kind: "supply";
  readonly ledgerVersion: bigint | null;
  readonly ageSeconds: number;
}

/**
 * Reads an asset's supply and decimals at a ledger version, or at the newest one (null). One view counts each asset: a
 * coin's view includes the paired fungible asset, so the two are never added.
 */
export async function readSupply(
  read: ReadView,
  asset: Asset,
  ledgerVersion: bigint | null,
): Promise<ReadSupply | LoadError> {
  const [module, typeArgument, values] =
    asset.kind === "coin" ? ["0x1::coin", asset.type, []] : ["0x1::fungible_asset", METADATA, [asset.metadata]];
  const call = (name: string): Promise<Returned | LoadError> =>
    view(read, { function: `${module}::${name}`, typeArguments: [typeArgument], arguments: values, ledgerVersion });
  const [supply, decimals] = await Promise.all([call("supply"), call("decimals")]);
  if (supply.kind === "failure") return supply;
  if (decimals.kind === "failure") return decimals;
  const baseUnits = optionalAmount(supply.value);
  if (typeof baseUnits !== "bigint") return baseUnits;
  if (!isDecimals(decimals.value)) return loadError("the chain names no decimals for this asset");
  const ageSeconds = Math.max(supply.ageSeconds, decimals.ageSeconds);
  return {
    kind: "supply",
    baseUnits,
    decimals: decimals.value,
    ledgerVersion: ledgerVersion ?? supply.ledgerVersion,
    ageSeconds,
  };
}

/** Loads an asset's supply. `allowZero` is for tokens that may be unissued. */
export function supplySource(read: ReadView, asset: Asset, allowZero: boolean): Loader<Supply> {
  return async (nowMs): Promise<Sample<Supply> | LoadError> => {
    const supply = await readSupply(read, asset, null);
    if (supply.kind === "failure") return supply;
    const { baseUnits, decimals, ledgerVersion, ageSeconds } = supply;
    if (!allowZero && wholeIsZero(supply)) return loadError("the supply of this asset on chain is zero");
    const value = { baseUnits, decimals, ledgerVersion };
    return { kind: "observed", value, observedAtMs: nowMs - ageSeconds * 1000 };
  };
}

interface Returned {
  readonly kind: "returned";
  readonly value: unknown;
  readonly ledgerVersion: bigint | null;
  readonly ageSeconds: number;
}

/** The only return value of a view function. */
async function view(read: ReadView, call: ViewCall): Promise<Returned | LoadError> {
  const result = await read(call);
  if (result.kind === "unavailable") return loadError("no chain node answers");
  if (result.kind === "refused") return loadError(`the chain node answers ${result.status} to ${call.function}`);
  const [value, ...more] = result.values;
  if (value === undefined || more.length > 0) return loadError(`unexpected response from view ${call.function}`);
  return { kind: "returned", value, ledgerVersion: result.ledgerVersion, ageSeconds: result.ageSeconds };
}

/**
 * `Option<u128>` as nodes serialize it: `{"vec": ["123"]}`, or `{"vec": []}` for an asset whose supply is not tracked.
 */
function optionalAmount(value: unknown): BaseUnits | LoadError {
  const items = isRecord(value) ? value["vec"] : undefined;
  if (!Array.isArray(items) || items.length > 1) return loadError("the chain's supply figure is malformed");
  const [text] = items;
  if (text === undefined) return loadError("the chain does not track the supply of this asset");
  const amount = typeof text === "string" ? parseUnsigned(text, "u128") : undefined;
  return amount ?? loadError("the chain's supply figure is malformed");
}

function isDecimals(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;
}

function wholeIsZero({ baseUnits, decimals }: Supply): boolean {
  return baseUnits < 10n ** BigInt(decimals);
}

/** Serializes a supply for the store, and parses it again. */
export const supplyText = {
  write: ({ baseUnits, decimals, ledgerVersion }: Supply): string =>
    JSON.stringify({ base_units: String(baseUnits), decimals, ledger_version: ledgerVersion?.toString() ?? null }),
  read: (stored: string): Supply | undefined => {
    const parsed = parseJson(stored);
    if (!isRecord(parsed)) return undefined;
    const { base_units: text, decimals, ledger_version: version } = parsed;
    const baseUnits = typeof text === "string" ? parseUnsigned(text, "u128") : undefined;
    const ledgerVersion = typeof version === "string" ? (parseUnsigned(version, "u64") ?? null) : null;
    return baseUnits === undefined || !isDecimals(decimals) ? undefined : { baseUnits, decimals, ledgerVersion };
  },
} as const;

type Count = Pick<Supply, "baseUnits" | "decimals">;

/** Whether `claimed` exceeds `existing`, compared exactly in their own decimals. */
export function exceeds(claimed: Count, existing: Count): boolean {
  return claimed.baseUnits * 10n ** BigInt(existing.decimals) > existing.baseUnits * 10n ** BigInt(claimed.decimals);
}

function loadError(reason: string): LoadError {
  return { kind: "failure", reason };
}
