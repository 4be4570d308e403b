import type { BaseUnits } from "../../chain/amount.ts";
import type { Asset } from "../../chain/asset.ts";
import type { Holding } from "../../chain/holding.ts";
import type { AnsweringNode, Held, NodeError, Supply } from "../chain-node.ts";
import { type EvmAddress, parseEvmAddress } from "./address.ts";
import { type Block, blockIn, quantityText } from "./block.ts";
import { REVERTED, type Rpc } from "./json-rpc.ts";
import { MAX_OWNERS, programCall, programGas, type TokenWords, wordsIn } from "./program.ts";

/** A node that has just reported its newest block. */
export interface EvmNode {
  readonly label: string;
  readonly chainId: number;
  readonly head: Block;
  readonly call: Rpc;
}

/** Report of a node about one token at one block. */
interface BlockWords extends Omit<TokenWords, "balances"> {
  readonly asset: string;
  readonly block: Block;
  readonly balances: ReadonlyMap<EvmAddress, BaseUnits | null>;
}

/** More than any token has. */
const MAX_DECIMALS = 36;
/** How often a node is asked again that has the block and gives no word: behind one address may be several machines. */
const AGAIN = 3;

/** A node of an EVM chain for one reading. The first call reads the wallets with the supply. */
export function evmNode(node: EvmNode, wallets: readonly Holding[]): AnsweringNode {
  const { label, head } = node;
  const reader = new BlockReader(node);
  return {
    label,
    newestVersion: head.number,
    newestAtMs: head.timestampMs,
    timeOf: (number) => reader.timeOf(number),
    supply: async (asset, number) => {
      const words = await reader.read(asset, number, wallets.map(ownerOf));
      return "why" in words ? words : supplyIn(words);
    },
    balances: async (asset, holdings, number) => {
      const owners = holdings.map(ownerOf);
      const words = await reader.read(asset, number, owners);
      return owners.map((owner) => {
        if (typeof owner !== "string") return owner;
        return "why" in words ? words : heldOf(words.balances.get(owner) ?? null);
      });
    },
    staking: async () => refused("no native staking is read from an EVM chain"),
  };
}

/** Reads one node; what it has said of a block is not asked again. */
class BlockReader {
  readonly #node: EvmNode;
  /** The head, until the node has had no word at it. */
  #known: Block | null;
  #last: BlockWords | null = null;
  #withoutWord = 0;

  constructor(node: EvmNode) {
    this.#node = node;
    this.#known = node.head;
  }

  async read(
    asset: Asset,
    number: bigint,
    holders: readonly (EvmAddress | NodeError)[],
  ): Promise<BlockWords | NodeError> {
    const token = asset.kind === "contract" ? parseEvmAddress(asset.text) : undefined;
    if (token === undefined) return refused("the asset is none of an EVM chain");
    const owners = holders.filter((owner) => typeof owner === "string");
    const last = this.#last;
    if (last?.asset === asset.text && last.block.number === number && owners.every((each) => last.balances.has(each)))
      return last;
    const block = this.#known?.number === number ? this.#known : await this.#blockAt(number);
    if ("why" in block) return block;
    const balances = new Map<EvmAddress, BaseUnits | null>();
    for (let from = 0; ; from += MAX_OWNERS) {
      const asked = owners.slice(from, from + MAX_OWNERS);
      const words = await this.#wordsOf(token, asked, block);
      if ("why" in words) return words;
      for (const [index, owner] of asked.entries()) balances.set(owner, words.balances[index] ?? null);
      if (from + MAX_OWNERS >= owners.length) {
        this.#last = { ...words, asset: asset.text, block, balances };
        return this.#last;
      }
    }
  }

  /** The block is known then, so that a reading of it asks for it no more. */
  async timeOf(number: bigint): Promise<number | null> {
    const block = await this.#blockAt(number);
    if ("why" in block) return null;
    this.#known = block;
    return block.timestampMs;
  }

  /** Reads a token at a block: its words, a revert, or none, whatever comes instead. */
  async #wordsOf(token: EvmAddress, owners: readonly EvmAddress[], block: Block): Promise<TokenWords | NodeError> {
    const at = { blockHash: block.hash, requireCanonical: true };
    const gas = quantityText(BigInt(programGas(owners.length)));
    const answer = await this.#node.call("eth_call", [{ gas, data: programCall(token, owners) }, at]);
    if (answer.kind === "none") return SILENT;
    if (answer.kind === "error" && answer.code === REVERTED)
      return refused("the chain node reverts a call that cannot revert");
    const words = answer.kind === "result" ? wordsIn(answer.value, owners.length) : undefined;
    if (words === undefined) return this.#whyNoWord(block, answer.kind === "error" ? answer.code : null);
    if (words.chainId === BigInt(this.#node.chainId)) return words;
    return silent(`the chain node answered for chain ${words.chainId}`);
  }

  /** Whether the node has the block says why it has no word at it; `code`: of its refusal, null when it sent none. */
  async #whyNoWord({ number, hash }: Block, code: number | null): Promise<NodeError> {
    this.#known = null;
    const block = await this.#blockAt(number);
    if ("why" in block) return block;
    if (block.hash !== hash) return notReached(`the chain node has replaced its block ${number}`);
    this.#withoutWord += 1;
    const does = code === null ? "answers no call at it" : `answers a call at it with the JSON-RPC error ${code}`;
    const reason = `the chain node has block ${number} and ${does}`;
    // Its state is pruned, its plan is used up, or it executes nothing: that says nothing of the chain.
    return this.#withoutWord > AGAIN ? silent(reason) : notReached(reason);
  }

  async #blockAt(number: bigint): Promise<Block | NodeError> {
    const answer = await this.#node.call("eth_getBlockByNumber", [quantityText(number), false]);
    if (answer.kind !== "result") return SILENT;
    if (answer.value === null) return notReached(`the chain node has not reached block ${number}`);
    const block = blockIn(answer.value);
    return block?.number === number ? block : silent(`the chain node answers something else than block ${number}`);
  }
}

function ownerOf({ holds, address }: Holding): EvmAddress | NodeError {
  if (holds !== "account") return refused(`an EVM chain has no holding of the kind ${holds}`);
  return parseEvmAddress(address) ?? refused("the address is none of an EVM chain");
}

/** A call that failed is refused by its name: it is no zero. */
function supplyIn({ asset, codeBytes, decimals, supply, block }: BlockWords): Supply | NodeError {
  if (codeBytes === 0n) return refused(`there is no contract at ${asset}`);
  if (supply === null) return refused("the contract does not answer totalSupply()");
  if (decimals === null) return refused("the contract does not answer decimals()");
  if (decimals > MAX_DECIMALS) return refused(`the contract names more than ${MAX_DECIMALS} decimals`);
  return { minted: supply, decimals: Number(decimals), block: block.hash };
}

function heldOf(baseUnits: BaseUnits | null): Held | NodeError {
  if (baseUnits === null) return refused("the contract does not answer balanceOf()");
  return { baseUnits, stake: null, pool: null };
}

const SILENT = silent("the chain node does not answer");

function silent(reason: string): NodeError {
  return { why: "silent", reason };
}

function notReached(reason: string): NodeError {
  return { why: "not_reached", reason };
}

function refused(reason: string): NodeError {
  return { why: "refused", reason };
}
