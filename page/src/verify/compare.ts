import type { Asset } from "../../../src/chain/asset.ts";
import type { Held, NodeError } from "../../../src/onchain/chain-node.ts";
import { chainFigures, type WalletState } from "../../../src/onchain/reading.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { holdingKey, isBurned, isNative, type Wallet, walletsOf } from "../../../src/supply/wallets.ts";
import { type SupplyBreakdown, units } from "../documents.ts";
import type { Trouble } from "./exchange.ts";
import type { BrowserNode, NodeInfo } from "./node.ts";

/** One line of the subtraction: what the node says, and what this service answers at the same version. */
export interface Line {
  readonly label: string;
  readonly kind: "minted" | "burned" | "wallet" | "left";
  /** null: the node could not say, for `reason`. */
  readonly node: bigint | null;
  /** null: this service has no value of that version. */
  readonly ours: bigint | null;
  readonly reason: string;
  /** null: the supply itself; undefined: the result of the lines above. */
  readonly wallet: Wallet | null | undefined;
}

export interface Compared {
  readonly kind: "compared";
  readonly info: NodeInfo;
  readonly version: bigint;
  readonly lines: readonly Line[];
}

export type Outcome =
  | Compared
  | { readonly kind: "trouble"; readonly trouble: Trouble }
  | { readonly kind: "behind"; readonly newest: bigint; readonly version: bigint }
  | { readonly kind: "pruned"; readonly oldest: bigint; readonly version: bigint }
  | { readonly kind: "other_chain"; readonly found: number; readonly chainId: number }
  /** It has no word at that version now. */
  | { readonly kind: "no_word"; readonly reason: string };

/** What is asked of a node: the schedule's wallets and the asset's supply, at the version of this service's answer. */
export interface Check {
  readonly schedule: Schedule;
  readonly asset: Asset;
  readonly breakdown: SupplyBreakdown;
}

/** Asks a node for everything at one ledger version, subtracts as this service does, and sets both beside one another. */
export async function compare(node: BrowserNode, { schedule, asset, breakdown }: Check): Promise<Outcome> {
  const version = BigInt(breakdown.ledger_version);
  const info = await node.info();
  if (info.kind !== "info") return { kind: "trouble", trouble: info };
  const chainId = "chain_id" in breakdown ? breakdown.chain_id : undefined;
  if (chainId !== undefined && info.chainId !== chainId) return { kind: "other_chain", found: info.chainId, chainId };
  if (info.newest < version) return { kind: "behind", newest: info.newest, version };
  if (info.oldest > version) return { kind: "pruned", oldest: info.oldest, version };
  const { decimals } = schedule.token;
  const chains = "chains" in breakdown ? breakdown.chains : undefined;
  const wallets = walletsOf(schedule).filter(isNative);
  const chain = node.chain(info);
  const supply = await chain.supply(asset, version, decimals);
  const trouble = node.trouble();
  if (trouble?.kind === "gone") return { kind: "pruned", oldest: info.oldest, version };
  if (trouble !== undefined) return { kind: "trouble", trouble };
  if ("why" in supply && supply.why === "not_reached") return { kind: "no_word", reason: supply.reason };
  const balances = await chain.balances(asset, wallets, version);
  const hung = node.trouble();
  if (hung !== undefined) return { kind: "trouble", trouble: hung };
  const minted = "why" in supply ? null : supply.minted;
  const lines: Line[] = [
    {
      label: "Minted",
      kind: "minted",
      node: minted,
      // A node has one chain of the token: what is compared is the first one's.
      ours: units(chains?.[0]?.minted_supply ?? breakdown.minted_supply),
      reason: reasonOf(supply),
      wallet: null,
    },
    ...wallets.map((wallet, index) => walletLine(wallet, balances[index], breakdown)),
  ];
  const left = chains === undefined ? [leftLine(schedule, breakdown, lines)] : [];
  return { kind: "compared", info, version, lines: [...lines, ...left] };
}

function reasonOf(result: object | NodeError | undefined): string {
  return result !== undefined && "why" in result ? result.reason : "";
}

function walletLine(wallet: Wallet, result: Held | NodeError | undefined, breakdown: SupplyBreakdown): Line {
  const ours = breakdown.non_circulating_wallets.find((one) => keyOf(one) === holdingKey(wallet));
  const isOfVersion = ours?.ledger_version === breakdown.ledger_version && ours.balance !== null;
  return {
    label: wallet.label,
    kind: isBurned(wallet) ? "burned" : "wallet",
    node: result === undefined || "why" in result ? null : result.baseUnits,
    ours: isOfVersion && ours.balance !== null ? units(ours.balance) : null,
    reason: reasonOf(result),
    wallet,
  };
}

/** {@link holdingKey} of a wallet as the API names it. */
function keyOf({ chain, address, holds, pool, operator }: SupplyBreakdown["non_circulating_wallets"][number]): string {
  return [chain, address, holds, pool, operator].filter((part) => part !== null).join(" ");
}

/** What is left by the arithmetic of this service, from the node's words. */
function leftLine(schedule: Schedule, breakdown: SupplyBreakdown, [minted, ...lines]: readonly Line[]): Line {
  const version = BigInt(breakdown.ledger_version);
  const wallets = lines.map(({ wallet, node }): WalletState => {
    const balance =
      node === null ? null : { baseUnits: node, stake: null, pool: null, ledgerVersion: version, readAtMs: 0 };
    const address = wallet?.address ?? "";
    return { holding: wallet ? holdingKey(wallet) : "", address, saidBy: [], balance, anomaly: null };
  });
  const base = minted?.node ?? null;
  const { decimals } = schedule.token;
  const left =
    base === null
      ? null
      : chainFigures(schedule)({
          ledgerVersion: version,
          readAtMs: Date.parse(breakdown.as_of),
          decimals,
          minted: base,
          wallets,
          staking: null,
          saidBy: [],
          asked: 0,
          whole: null,
        }).circulating_supply_on_chain;
  return {
    label: "Circulating on chain",
    kind: "left",
    node: left !== null && !("reason" in left) ? left.baseUnits : null,
    ours: units(breakdown.circulating_supply_on_chain),
    reason: left !== null && "reason" in left ? left.reason : "",
    wallet: undefined,
  };
}
