import { createHash } from "node:crypto";
import { createCustomCommon, Mainnet } from "@ethereumjs/common";
import { createEVM } from "@ethereumjs/evm";
import { SimpleStateManager } from "@ethereumjs/statemanager";
import {
  bytesToHex,
  createAddressFromString,
  createZeroAddress,
  hexToBytes,
  type PrefixedHexString,
} from "@ethereumjs/util";
import { DECIMALS_SLOT, SUPPLY_SLOT, tokenCode } from "./token.ts";

/** Address with leading zeros, which must be kept. */
export const TOKEN = "0x0000c0ffee254729296a45a3885639ac7e10f9d5";
/** Gas for a call that names none, and the most that a node accepts. */
const [DEFAULT_GAS, GAS_CAP] = [400_000n, 16_777_216n];

interface Block {
  readonly number: bigint;
  readonly hash: string;
  readonly timestampSeconds: number;
  readonly state: SimpleStateManager;
}

interface Times {
  readonly startSeconds: number;
  readonly blockSeconds: number;
  /** Number of the first block. */
  readonly first: bigint;
}

/** Values of one contract's storage, by slot. */
type Writes = ReadonlyMap<bigint, bigint>;

/** Contract other than the token: its code, null if it stays, and writes to its storage. */
interface Contract {
  readonly code: Uint8Array | null;
  readonly writes?: Writes;
}
export type RpcOutcome =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: string } };

/**
 * EVM chain with the state of each of its blocks. It executes calls in a real EVM and answers as geth does. Hashes
 * follow from the parent's hash and the chain's salt.
 */
export class EvmChain {
  readonly chainId: number;
  readonly #times: Times;
  readonly #salt: string;
  #blocks: readonly Block[];
  /** Blocks that a reorganisation has replaced. */
  #orphans: readonly Block[] = [];

  private constructor(chainId: number, salt: string, times: Times, blocks: readonly Block[]) {
    this.chainId = chainId;
    this.#times = times;
    this.#salt = salt;
    this.#blocks = blocks;
  }

  /** Begins a chain with a token of 18 decimals at {@link TOKEN} and the given holders. */
  static async begin({
    chainId = 1,
    supply = 10n ** 27n,
    decimals = 18n,
    code = tokenCode(),
    holders = new Map<string, bigint>(),
    startSeconds = 1_700_000_000,
    blockSeconds = 2,
    first = 100n,
  } = {}): Promise<EvmChain> {
    const chain = new EvmChain(chainId, "", { startSeconds, blockSeconds, first }, []);
    await chain.mine(
      new Map([
        [SUPPLY_SLOT, supply],
        [DECIMALS_SLOT, decimals],
        ...[...holders].map(([address, amount]) => [BigInt(address), amount] as const),
      ]),
      code,
    );
    return chain;
  }

  get head(): Block {
    const block = this.#blocks.at(-1);
    if (block === undefined) throw new RangeError("a chain has a block");
    return block;
  }

  /** Makes another future of the chain, from this block on. */
  forkBefore(number: bigint, salt: string): EvmChain {
    const common = this.#blocks.filter((block) => block.number < number);
    return new EvmChain(this.chainId, salt, this.#times, common);
  }

  /**
   * Adds a block after these writes to the token's storage; with `code` the token's code is replaced before. `others`:
   * changes of other contracts, by address.
   */
  async mine(
    writes: Writes = new Map(),
    code: Uint8Array | null = null,
    others: ReadonlyMap<string, Contract> = new Map(),
  ): Promise<void> {
    const parent = this.#blocks.at(-1);
    const { startSeconds, blockSeconds, first } = this.#times;
    const number = parent === undefined ? first : parent.number + 1n;
    // The state of a finished block is never changed.
    const changes = new Map<string, Contract>([[TOKEN, { code, writes }], ...others]);
    const isSame = parent !== undefined && code === null && writes.size === 0 && others.size === 0;
    const state = isSame ? parent.state : copyOf(parent?.state);
    const hash = createHash("sha256").update(`${this.chainId} ${parent?.hash} ${this.#salt}`);
    for (const [address, contract] of changes) {
      const place = createAddressFromString(address);
      if (contract.code !== null) await state.putCode(place, contract.code);
      for (const [slot, value] of contract.writes ?? []) {
        await state.putStorage(place, wordOf(slot), wordOf(value));
        hash.update(`${address} ${slot} ${value}`);
      }
    }
    this.#blocks = [
      ...this.#blocks,
      {
        number,
        hash: `0x${hash.digest("hex")}`,
        timestampSeconds: startSeconds + blockSeconds * Number(number - first),
        state,
      },
    ];
  }

  /**
   * Adds a block with one transaction, executed in the EVM. Without `to` it creates a contract. Returns the address of
   * the new contract, else the zero address.
   */
  async send({ from, to, data }: { readonly from: string; readonly to?: string; readonly data: string }) {
    await this.mine(new Map(), null, new Map([[from, { code: null }]]));
    const { state, number, timestampSeconds } = this.head;
    const evm = await createEVM({ common: this.#common(), stateManager: state });
    const { execResult, createdAddress } = await evm.runCall({
      caller: createAddressFromString(from),
      ...(to === undefined ? {} : { to: createAddressFromString(to) }),
      data: hexToBytes(data as PrefixedHexString),
      gasLimit: GAS_CAP,
      block: blockAt(number, timestampSeconds),
    });
    const { exceptionError, returnValue } = execResult;
    if (exceptionError !== undefined) throw new Error(`${exceptionError.error} ${bytesToHex(returnValue)}`);
    return String(createdAddress ?? createZeroAddress());
  }

  #common() {
    return createCustomCommon({ chainId: this.chainId }, Mainnet);
  }

  /** Replaces the blocks that another future does not have by its own. */
  reorganise(other: EvmChain): void {
    this.#orphans = [...this.#orphans, ...this.#blocks.filter((block) => !other.#blocks.includes(block))];
    this.#blocks = other.#blocks;
  }

  /** Answers as a node whose head is `behind` blocks older, with the state of `kept` blocks. */
  async answer(method: string, params: readonly unknown[], { behind = 0, kept = 128 } = {}): Promise<RpcOutcome> {
    const blocks = behind === 0 ? this.#blocks : this.#blocks.slice(0, -behind);
    const head = blocks.at(-1);
    const [first, second] = params;
    switch (method) {
      case "eth_chainId":
        return { result: quantity(this.chainId) };
      case "eth_blockNumber":
        return { result: quantity(head?.number ?? 0n) };
      case "eth_getBlockByNumber": {
        const block = first === "latest" ? head : blocks.find(({ number }) => quantity(number) === first);
        return { result: block === undefined ? null : blockBody(block) };
      }
      case "eth_call": {
        const { blockHash, requireCanonical } = Object(second);
        const known = [...blocks, ...this.#orphans].find(({ hash }) => hash === blockHash);
        if (known === undefined) return { error: { code: -32000, message: "header for hash not found" } };
        if (requireCanonical !== true) return { error: { code: -32602, message: "the block is to be canonical" } };
        if (!blocks.includes(known)) return { error: { code: -32000, message: "hash is not currently canonical" } };
        if (head !== undefined && head.number - known.number >= BigInt(kept))
          return { error: { code: -32000, message: "missing trie node 1f3a (path ) state is not available" } };
        return this.#call(known, Object(first));
      }
      default:
        return { error: { code: -32601, message: `the method ${method} does not exist/is not available` } };
    }
  }

  async #call(
    { state, number, timestampSeconds }: Block,
    { to, data, gas }: { readonly to?: string; readonly data: PrefixedHexString; readonly gas?: string },
  ): Promise<RpcOutcome> {
    const gasLimit = gas === undefined ? DEFAULT_GAS : BigInt(gas);
    if (gasLimit > GAS_CAP) return { error: { code: -32000, message: `gas limit ${gasLimit} is above the cap` } };
    const evm = await createEVM({ common: this.#common(), stateManager: copyOf(state) });
    const { execResult } = await evm.runCall({
      ...(to === undefined ? {} : { to: createAddressFromString(to) }),
      data: hexToBytes(data),
      gasLimit,
      block: blockAt(number, timestampSeconds),
    });
    const { exceptionError, returnValue } = execResult;
    if (exceptionError === undefined) return { result: bytesToHex(returnValue) };
    if (exceptionError.error !== "revert") return { error: { code: -32000, message: exceptionError.error } };
    return { error: { code: 3, message: "execution reverted", data: bytesToHex(returnValue) } };
  }
}

/** Block as contracts see it: number and time are those of the block that is named in the call. */
function blockAt(number: bigint, timestampSeconds: number) {
  const zero = createZeroAddress();
  const header = { number, coinbase: zero, timestamp: BigInt(timestampSeconds), difficulty: 0n, gasLimit: GAS_CAP };
  return { header: { ...header, prevRandao: new Uint8Array(32), getBlobGasPrice: () => undefined } };
}

function copyOf(state: SimpleStateManager | undefined): SimpleStateManager {
  const copy = state?.shallowCopy();
  return copy instanceof SimpleStateManager ? copy : new SimpleStateManager();
}

function blockBody({ number, hash, timestampSeconds }: Block): unknown {
  return { number: quantity(number), hash, timestamp: quantity(timestampSeconds), transactions: [] };
}

export function quantity(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}

function wordOf(value: bigint): Uint8Array {
  return hexToBytes(`0x${value.toString(16).padStart(64, "0")}`);
}
