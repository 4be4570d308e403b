import type { BaseUnits } from "../../chain/amount.ts";
import type { Asset } from "../../chain/asset.ts";
import type { Holding } from "../../chain/holding.ts";
import type { ReportedPrice, SharePrice } from "../../chain/share-price.ts";
import type { AnsweringNode, CirculatingView, NodeError, Supply } from "../chain-node.ts";
import { type EvmAddress, parseEvmAddress } from "./address.ts";
import { type Block, parseBlock, quantityText } from "./block.ts";
import { circulatingQuestion } from "./circulating-views.ts";
import { type HoldingQuery, holdingQuery, refused } from "./holdings.ts";
import { REVERTED, type Rpc } from "./json-rpc.ts";
import { PRICE_VIEWS } from "./price-views.ts";
import {
  GAS_OF_CALL,
  GAS_OF_PRICE_CALL,
  parseWords,
  programCall,
  questionsPerCall,
  type TokenWords,
} from "./program.ts";
import { type Question, question } from "./question.ts";

/** A node that has just reported its newest block. */
export interface EvmNode {
  readonly label: string;
  readonly chainId: number;
  readonly head: Block;
  readonly call: Rpc;
}

/** Report of a node about one token at one block. A null answer stands for a failed call. */
interface BlockReport extends Omit<TokenWords, "answers"> {
  readonly asset: string;
  readonly block: Block;
  readonly answers: ReadonlyMap<Question, BaseUnits | null>;
}

/** Largest accepted number of decimals; no real token has as many. */
const MAX_DECIMALS = 36;
/** How often a node is asked again that has the block and returns no result: several machines may share its address. */
const MAX_RETRIES = 3;

/** Makes a node of an EVM chain for one reading. The first call reads the wallets and the view with the supply. */
export function evmNode(
  node: EvmNode,
  wallets: readonly Holding[],
  circulatingView: CirculatingView | null = null,
): AnsweringNode {
  const { label, head } = node;
  const reader = new BlockReader(node);
  const stated = circulatingQuestion(circulatingView);
  return {
    label,
    newestVersion: head.number,
    newestAtMs: head.timestampMs,
    timeOf: (number) => reader.timeOf(number),
    supply: async (asset, number) => {
      const questions = questionsOf(queriesAbout(asset, wallets));
      const report = await reader.read(asset, number, stated === null ? questions : [...questions, stated]);
      const supply = "why" in report ? report : supplyIn(report);
      if ("why" in report || "why" in supply || stated === null) return supply;
      const circulating =
        report.answers.get(stated) ?? refused(`the contract does not answer ${circulatingView?.view}`);
      return { ...supply, circulating };
    },
    balances: async (asset, holdings, number) => {
      const queries = queriesAbout(asset, holdings);
      const report = await reader.read(asset, number, questionsOf(queries));
      return queries.map((query) => {
        if ("why" in query) return query;
        if ("why" in report) return report;
        return query.balance(query.questions.map((asked) => report.answers.get(asked) ?? null));
      });
    },
    // A call of its own at the same block, so that no price can spoil the figures of the token.
    prices: async (asset, prices, number) => {
      const queries = prices.map(priceQuery);
      const report = await reader.read(asset, number, questionsOf(queries), GAS_OF_PRICE_CALL);
      return queries.map((query) => {
        if ("why" in query) return query;
        return "why" in report ? report : query.price(report);
      });
    },
    staking: async () => refused("no native staking is read from an EVM chain"),
  };
}

/** Reads one node at one block, and keeps the result for later questions about that block. */
class BlockReader {
  readonly #node: EvmNode;
  /** Block whose hash is known: the head, or the last block that was asked for; null: it must be asked for again. */
  #block: Block | null;
  #last: BlockReport | null = null;
  #failedCalls = 0;

  constructor(node: EvmNode) {
    this.#node = node;
    this.#block = node.head;
  }

  async read(
    asset: Asset,
    number: bigint,
    questions: readonly Question[],
    gasOfCall: number = GAS_OF_CALL,
  ): Promise<BlockReport | NodeError> {
    const token = tokenIn(asset);
    if (token === undefined) return refused(NO_CONTRACT);
    const last = this.#last;
    if (last?.asset === asset.text && last.block.number === number && questions.every((each) => last.answers.has(each)))
      return last;
    const block = this.#block?.number === number ? this.#block : await this.#blockAt(number);
    if ("why" in block) return block;
    const answers = new Map<Question, BaseUnits | null>();
    const most = questionsPerCall(token, questions, gasOfCall);
    for (let from = 0; ; from += most) {
      const asked = questions.slice(from, from + most);
      const words = await this.#callProgram(programCall(token, asked, gasOfCall), asked.length, block);
      if ("why" in words) return words;
      for (const [index, each] of asked.entries()) answers.set(each, words.answers[index] ?? null);
      if (from + most >= questions.length) {
        this.#last = { ...words, asset: asset.text, block, answers };
        return this.#last;
      }
    }
  }

  /** Reads the time of a block, and keeps the block for the reading that follows. */
  async timeOf(number: bigint): Promise<number | null> {
    const block = await this.#blockAt(number);
    if ("why" in block) return null;
    this.#block = block;
    return block.timestampMs;
  }

  /** Calls the reading program at a block. Any answer but a result or a revert leads to {@link #whyNoResult}. */
  async #callProgram(
    call: ReturnType<typeof programCall>,
    questions: number,
    block: Block,
  ): Promise<TokenWords | NodeError> {
    const at = { blockHash: block.hash, requireCanonical: true };
    const answer = await this.#node.call("eth_call", [call, at]);
    if (answer.kind === "none") return SILENT;
    if (answer.kind === "error" && answer.code === REVERTED)
      return refused("the chain node reverts a call that cannot revert");
    const words = answer.kind === "result" ? parseWords(answer.value, questions) : undefined;
    if (words === undefined) return this.#whyNoResult(block, answer.kind === "error" ? answer.code : null);
    if (words.chainId === BigInt(this.#node.chainId)) return words;
    return silent(`the chain node answered for chain ${words.chainId}`);
  }

  /**
   * Finds out why a call returned no result: the node lacks the block, has replaced it, or has it and answers no call.
   * `code`: JSON-RPC error of the refusal; null: none was sent.
   */
  async #whyNoResult({ number, hash }: Block, code: number | null): Promise<NodeError> {
    this.#block = null;
    const block = await this.#blockAt(number);
    if ("why" in block) return block;
    if (block.hash !== hash) return notReached(`the chain node has replaced its block ${number}`);
    this.#failedCalls += 1;
    const behaviour = code === null ? "answers no call at it" : `answers a call at it with the JSON-RPC error ${code}`;
    const reason = `the chain node has block ${number} and ${behaviour}`;
    // The node's state may be pruned, or its plan used up: that says nothing about the chain.
    return this.#failedCalls > MAX_RETRIES ? silent(reason) : notReached(reason);
  }

  async #blockAt(number: bigint): Promise<Block | NodeError> {
    const answer = await this.#node.call("eth_getBlockByNumber", [quantityText(number), false]);
    if (answer.kind !== "result") return SILENT;
    if (answer.value === null) return notReached(`the chain node has not reached block ${number}`);
    const block = parseBlock(answer.value);
    return block?.number === number ? block : silent(`the chain node answers something else than block ${number}`);
  }
}

function tokenIn({ kind, text }: Asset): EvmAddress | undefined {
  return kind === "contract" ? parseEvmAddress(text) : undefined;
}

const NO_CONTRACT = "the asset is none of an EVM chain";

function queriesAbout(asset: Asset, holdings: readonly Holding[]): readonly (HoldingQuery | NodeError)[] {
  const token = tokenIn(asset);
  return holdings.map((holding) => (token === undefined ? refused(NO_CONTRACT) : holdingQuery(token, holding)));
}

/** Lists the questions of all queries, each once. */
function questionsOf(queries: readonly (Pick<HoldingQuery, "questions"> | NodeError)[]): readonly Question[] {
  return [...new Set(queries.flatMap((query) => ("why" in query ? [] : query.questions)))];
}

/** Finds the question about a share's price, and how the price is made of the answer. A 0 is no price. */
function priceQuery({ contract: address, view: signature, decimals }: SharePrice) {
  const [contract, view] = [parseEvmAddress(address), PRICE_VIEWS[signature]];
  if (contract === undefined || view === undefined) return refused(`a share's price cannot be read by ${signature}`);
  const asked = question(contract, view.selector, view.takesShares ? 10n ** BigInt(decimals) : null);
  return {
    questions: [asked],
    price: ({ answers, block }: BlockReport): ReportedPrice | NodeError => {
      const value = answers.get(asked) ?? null;
      if (value === null || value === 0n)
        return refused(`the contract ${value === 0n ? "reports 0 by" : "does not answer"} ${signature}`);
      return { value, atMs: block.timestampMs };
    },
  };
}

/** Makes the supply from the contract's answers. A failed call becomes an error, never a 0. */
function supplyIn({ asset, codeBytes, decimals, supply, block }: BlockReport): Supply | NodeError {
  if (codeBytes === 0n) return refused(`there is no contract at ${asset}`);
  if (supply === null) return refused("the contract does not answer totalSupply()");
  if (decimals === null) return refused("the contract does not answer decimals()");
  if (decimals > MAX_DECIMALS) return refused(`the contract names more than ${MAX_DECIMALS} decimals`);
  return { minted: supply, decimals: Number(decimals), block: block.hash };
}

const SILENT = silent("the chain node does not answer");

function silent(reason: string): NodeError {
  return { why: "silent", reason };
}

function notReached(reason: string): NodeError {
  return { why: "not_reached", reason };
}
