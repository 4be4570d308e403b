import type { EvmChain, RpcOutcome } from "./chain.ts";

export interface RpcRequest {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Status and JSON of a response; a string is sent as it is. */
export interface RpcReply {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Node in front of a chain, honest unless a test changes it. */
export class EvmTestNode {
  chain: EvmChain;
  /** Number of blocks by which it is behind the chain, and number of blocks whose state it has. */
  behind = 0;
  kept = 128;
  /** Replaces its reply; undefined: the true reply. */
  instead: (request: RpcRequest, truth: RpcOutcome) => RpcReply | undefined = () => undefined;
  readonly requests: RpcRequest[] = [];

  constructor(chain: EvmChain) {
    this.chain = chain;
  }

  async reply(text: string): Promise<RpcReply> {
    const request: RpcRequest = JSON.parse(text);
    this.requests.push(request);
    const { id, method, params } = request;
    const truth = await this.chain.answer(method, params, this);
    return this.instead(request, truth) ?? { body: { jsonrpc: "2.0", id, ...truth } };
  }

  /** Replaces words in its answers to the reading program, by their index. */
  says(words: Readonly<Record<number, (truth: bigint) => bigint>>): void {
    this.instead = ({ id, method }, truth) => {
      if (method !== "eth_call" || !("result" in truth)) return undefined;
      const said = String(truth.result)
        .slice(2)
        .match(/.{64}/g)
        ?.map(
          (word, index) =>
            words[index]?.(BigInt(`0x${word}`))
              .toString(16)
              .padStart(64, "0") ?? word,
        );
      return { body: { jsonrpc: "2.0", id, result: `0x${said?.join("")}` } };
    };
  }

  called(method: string): number {
    return this.requests.filter((each) => each.method === method).length;
  }
}

/** Indexes of words in the answer of the reading program. */
export const WORD = { chainId: 0, codeBytes: 1, decimals: 2, supply: 3, balances: 4 } as const;
