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

/** A node in front of a chain, honest unless told otherwise. */
export class EvmTestNode {
  chain: EvmChain;
  /** So many blocks it is behind the chain, and of so many it has the state. */
  behind = 0;
  kept = 128;
  /** Its reply in place of what it would say; undefined: it says that. */
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

  /** Other words in its answers to the reading's program, by their place. */
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

/** The places of words in the answer of the reading's program. */
export const WORD = { chainId: 0, codeBytes: 1, decimals: 2, supply: 3, balances: 4 } as const;
