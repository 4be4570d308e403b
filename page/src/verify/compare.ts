import type { NodeError } from "../../../src/families/chain-node.ts";
import { furtherChains, isFirst } from "../../../src/families/token-chain.ts";
import { chainFigures } from "../../../src/onchain/chain-figures.ts";
import type { LastWalletBalance } from "../../../src/onchain/reading.ts";
import { constantsAt } from "../../../src/supply/constants.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { escrowWallet, holdingKey, isBurned, type Wallet, walletsOf } from "../../../src/supply/wallets.ts";
import { chainsIn } from "../chain-nodes.ts";
import { type SupplyBreakdown, units } from "../documents.ts";
import type { NodeFailure } from "./exchange.ts";
import type { BrowserNode, NodeInfo, ServedChain } from "./node.ts";

/** Line of the subtraction: the node's amount, and this service's at the same version. */
export interface Line {
  readonly label: string;
  /** `escrow`: tokens that back those on another chain. They are not subtracted. */
  readonly kind: "minted" | "burned" | "wallet" | "escrow" | "left";
  /** null: the node does not report it, for `reason`. */
  readonly node: bigint | null;
  /** null: this service has no value at that version. */
  readonly ours: bigint | null;
  readonly reason: string;
  /** null: the line of the supply; undefined: the line of the result. */
  readonly wallet: Wallet | null | undefined;
}

export interface Compared {
  readonly kind: "compared";
  readonly info: NodeInfo;
  readonly version: bigint;
  /** Decimals of the token on that chain; null: the node does not report them. */
  readonly decimals: number | null;
  readonly lines: readonly Line[];
}

export type Outcome =
  | Compared
  | { readonly kind: "failed"; readonly failure: NodeFailure }
  | { readonly kind: "behind"; readonly newest: bigint; readonly version: bigint }
  | { readonly kind: "pruned"; readonly oldest: bigint; readonly version: bigint }
  | { readonly kind: "other_chain"; readonly found: number; readonly chainId: number }
  /** The node does not report the supply at that version now. */
  | { readonly kind: "not_reported"; readonly reason: string };

/** Subject of a check: the schedule's wallets and the supply, at the version of this service's answer. */
export interface Check {
  readonly schedule: Schedule;
  readonly served: ServedChain;
  readonly breakdown: SupplyBreakdown;
}

/**
 * Reads supply and balances from a node at one ledger version, subtracts as this service does, and compares line by
 * line.
 */
export async function compare(node: BrowserNode, check: Check): Promise<Outcome> {
  const { served, schedule } = check;
  const { version, asset, chainId } = served;
  const info = await node.info();
  if (info.kind !== "info") return { kind: "failed", failure: info };
  if (chainId !== null && info.chainId !== chainId) return { kind: "other_chain", found: info.chainId, chainId };
  if (info.newest < version) return { kind: "behind", newest: info.newest, version };
  if (info.oldest > version) return { kind: "pruned", oldest: info.oldest, version };
  const chain = node.chain(info);
  const known = isFirst(served) ? schedule.token.decimals : null;
  const supply = await chain.supply(asset, version, known);
  const failure = node.firstFailure();
  if (failure?.kind === "gone") return { kind: "pruned", oldest: info.oldest, version };
  if (failure !== undefined) return { kind: "failed", failure };
  if ("why" in supply && supply.why === "not_reached") return { kind: "not_reported", reason: supply.reason };
  const held = heldLines(check);
  const wallets = held.map(({ wallet }) => wallet);
  const balances = await chain.balances(asset, wallets, version);
  const laterFailure = node.firstFailure();
  if (laterFailure !== undefined) return { kind: "failed", failure: laterFailure };
  const decimals = "why" in supply ? known : supply.decimals;
  const shown = (units: bigint) => (decimals === null ? null : inScheduleDecimals(units, decimals, schedule));
  const lines: Line[] = [
    {
      label: "Minted",
      kind: "minted",
      wallet: null,
      node: "why" in supply ? null : shown(supply.minted),
      ours: served.minted,
      reason: reasonOf(supply),
    },
    ...held.map((line, index): Line => {
      const reported = balances[index];
      const isRead = reported !== undefined && !("why" in reported);
      return { ...line, node: isRead ? shown(reported.baseUnits) : null, reason: reasonOf(isRead ? supply : reported) };
    }),
  ];
  // A node has only one of the token's chains, so no sum over several is compared.
  const rest =
    furtherChains(schedule.chains).length === 0 ? [...constantLines(check), circulatingLine(check, lines)] : [];
  return { kind: "compared", info, version, decimals, lines: [...lines, ...rest] };
}

/** Converts a chain's amount to the schedule's decimals, rounded down, as this service publishes it. */
function inScheduleDecimals(units: bigint, decimals: number, { token }: Schedule): bigint {
  const extraDecimals = decimals - token.decimals;
  return extraDecimals > 0 ? units / 10n ** BigInt(extraDecimals) : units * 10n ** BigInt(-extraDecimals);
}

interface HeldLine extends Pick<Line, "label" | "kind" | "ours"> {
  readonly wallet: Wallet;
}

/** Returns what this service answers for each holding on that chain: first the wallets, then the escrows. */
function heldLines({ schedule, served, breakdown }: Check): HeldLine[] {
  const wallets = walletsOf(schedule).filter(({ chain }) => chain === served.id);
  const escrows = chainsIn(breakdown).flatMap(({ chain, escrow }) =>
    // An escrow that several chains share is in the row of each; take it once.
    escrow?.chain === served.id && escrow.backs[0] === chain ? [escrow] : [],
  );
  return [
    ...wallets.map((wallet) => walletLine(wallet, served, breakdown)),
    ...escrows.map(({ chain, address, backs, balance }): HeldLine => {
      const wallet = escrowWallet({ chain, address });
      return { label: `Escrow of ${backs.join(", ")}`, kind: "escrow", ours: balance && units(balance), wallet };
    }),
  ];
}

function reasonOf(result: object | NodeError | undefined): string {
  return result !== undefined && "why" in result ? result.reason : "";
}

function walletLine(wallet: Wallet, { version }: ServedChain, breakdown: SupplyBreakdown): HeldLine {
  const ours = breakdown.non_circulating_wallets.find((one) => keyOf(one) === holdingKey(wallet));
  const isOfVersion = ours?.ledger_version === String(version) && ours.balance !== null;
  return {
    label: wallet.label,
    kind: isBurned(wallet) ? "burned" : "wallet",
    ours: isOfVersion && ours.balance !== null ? units(ours.balance) : null,
    wallet,
  };
}

/** {@link holdingKey} of a wallet as the API names it. */
function keyOf({
  chain,
  address,
  holds,
  pool,
  operator,
  view = null,
  contract = null,
}: SupplyBreakdown["non_circulating_wallets"][number]): string {
  return [chain, address, holds, pool, operator, view, contract].filter((part) => part !== null).join(" ");
}

/** Returns the constants of the published file, which no node has, beside those that this service answers. */
function constantLines({ schedule, breakdown }: Check): Line[] {
  return constantsAt(schedule, Date.parse(breakdown.as_of)).map((constant, index): Line => {
    const ours = breakdown.constants[index];
    return {
      label: `${constant.label}, as stated`,
      kind: isBurned(constant) ? "burned" : "wallet",
      node: constant.amount,
      ours: ours === undefined ? null : units(ours.amount),
      reason: "",
      wallet: undefined,
    };
  });
}

/** Computes the circulating supply from the node's amounts, with this service's arithmetic. */
function circulatingLine(
  { schedule, served: { id, version, block }, breakdown }: Check,
  [minted, ...lines]: readonly Line[],
): Line {
  const wallets = lines.map(({ wallet, node }): LastWalletBalance => {
    const balance =
      node === null ? null : { baseUnits: node, stake: null, pool: null, ledgerVersion: version, readAtMs: 0 };
    const address = wallet?.address ?? "";
    return { holding: wallet ? holdingKey(wallet) : "", address, confirmedBy: [], balance, anomaly: null };
  });
  const base = minted?.node ?? null;
  const { decimals } = schedule.token;
  // null while a wallet has no balance in this service.
  const circulating: SupplyBreakdown["circulating_supply_on_chain"] | null = breakdown.circulating_supply_on_chain;
  const at = { ledgerVersion: version, readAtMs: Date.parse(breakdown.as_of), confirmedBy: [], nodeCount: 0 };
  const read = { ...at, minted: base ?? 0n };
  const left =
    base === null
      ? null
      : chainFigures(schedule)({
          ...read,
          decimals,
          wallets,
          staking: null,
          lastComplete: null,
          chains: [{ ...read, id, block, missing: null, fullyConfirmedBy: [] }],
        }).circulating_supply_on_chain;
  return {
    label: "Circulating on chain",
    kind: "left",
    node: left !== null && !("reason" in left) ? left.baseUnits : null,
    ours: circulating && units(circulating),
    reason: left !== null && "reason" in left ? left.reason : "",
    wallet: undefined,
  };
}
