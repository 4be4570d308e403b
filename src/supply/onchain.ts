import type { BaseUnits } from "../chain/amount.ts";
import type { Asset } from "../chain/asset.ts";
import { parseUnsigned } from "../chain/integer.ts";
import type { ReadView, ViewCall, ViewResult } from "../chain/view.ts";
import { isRecord } from "../json.ts";
import { type LoadError, loadError } from "../swr/loader.ts";

/** The on-chain supply of one asset. */
export interface Supply {
  readonly baseUnits: BaseUnits;
  readonly decimals: number;
  /** Null when the node reported none. */
  readonly ledgerVersion: bigint | null;
}

export const METADATA = "0x1::fungible_asset::Metadata";

interface ReadSupply extends Supply {
  readonly kind: "supply";
  readonly ageSeconds: number;
}

/**
 * Reads an asset's supply at a ledger version, or at the newest one (null), and its decimals unless they are known. One
 * view counts each asset: a coin's view includes the paired fungible asset, so the two are never added.
 */
export async function readSupply(
  read: ReadView,
  asset: Asset,
  ledgerVersion: bigint | null,
  knownDecimals: number | null = null,
): Promise<ReadSupply | LoadError> {
  const [module, typeArgument, values] =
    asset.kind === "coin" ? ["0x1::coin", asset.type, []] : ["0x1::fungible_asset", METADATA, [asset.metadata]];
  const call = (name: string): Promise<ViewedValues | LoadError> =>
    readValues(read, {
      function: `${module}::${name}`,
      typeArguments: [typeArgument],
      arguments: values,
      ledgerVersion,
    });
  const [supply, decimals] = await Promise.all([
    call("supply"),
    knownDecimals === null ? call("decimals").then(decimalsOf) : knownDecimals,
  ]);
  if (supply.kind === "failure") return supply;
  if (typeof decimals !== "number") return decimals;
  const baseUnits = optionalAmount(supply.values);
  if (typeof baseUnits !== "bigint") return baseUnits;
  const { ageSeconds } = supply;
  return { kind: "supply", baseUnits, decimals, ledgerVersion: ledgerVersion ?? supply.ledgerVersion, ageSeconds };
}

/** What a view function returned, and where and when. */
export type ViewedValues = Extract<ViewResult, { kind: "returned" }>;

/** Calls a view function; an answer of a ledger before the wanted version is an error. */
export async function readValues(read: ReadView, call: ViewCall): Promise<ViewedValues | LoadError> {
  const result = await read(call);
  if (result.kind === "unavailable") return loadError("no chain node answers");
  if (result.kind === "refused") return loadError(`the chain node answers ${result.status} to ${call.function}`);
  const { ledgerVersion: wanted } = call;
  if (wanted !== null && result.ledgerVersion !== null && result.ledgerVersion < wanted)
    return loadError(`the chain node answered at version ${result.ledgerVersion}, not at ${wanted}`);
  return result;
}

/**
 * `Option<u128>` as nodes serialize it: `{"vec": ["123"]}`, or `{"vec": []}` for an asset whose supply is not tracked.
 */
function optionalAmount([value]: readonly unknown[]): BaseUnits | LoadError {
  const items = isRecord(value) ? value["vec"] : undefined;
  if (!Array.isArray(items) || items.length > 1) return loadError("the chain's supply figure is malformed");
  const [text] = items;
  if (text === undefined) return loadError("the chain does not track the supply of this asset");
  const amount = typeof text === "string" ? parseUnsigned(text, "u128") : undefined;
  return amount ?? loadError("the chain's supply figure is malformed");
}

function decimalsOf(result: ViewedValues | LoadError): number | LoadError {
  if (result.kind === "failure") return result;
  const [value] = result.values;
  const isDecimals = typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;
  return isDecimals ? value : loadError("the chain names no decimals for this asset");
}

type Count = Pick<Supply, "baseUnits" | "decimals">;

/** Whether `claimed` exceeds `existing`, compared exactly in their own decimals. */
export function exceeds(claimed: Count, existing: Count): boolean {
  return claimed.baseUnits * 10n ** BigInt(existing.decimals) > existing.baseUnits * 10n ** BigInt(claimed.decimals);
}
