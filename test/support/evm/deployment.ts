import type { CirculatingView } from "../../../src/families/chain-node.ts";
import { evmNode } from "../../../src/families/evm/evm-node.ts";
import type { Rpc } from "../../../src/families/evm/json-rpc.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { walletsOf } from "../../../src/supply/wallets.ts";
import { deploymentWorld } from "../deployment-world.ts";
import { type EvmChain, TOKEN } from "./chain.ts";

const NODES = ["upstream-1", "upstream-2"];

/** Settings and nodes of a deployment of {@link TOKEN} that reads nothing else. */
export const ON_EVM = {
  nodes: NODES,
  settings: {
    CHAIN_FAMILY: "evm",
    CHAIN_ID: "1",
    NATIVE_ASSET: TOKEN,
    STABLE_ASSET: "",
    STAKING: "off",
    RATES_URL: "none",
    NODE_URLS: "https://a.example,https://b.example",
  },
} as const;

interface EvmDeployment extends Pick<Parameters<typeof deploymentWorld>[0], "addresses" | "store" | "settings"> {
  readonly schedule: Schedule;
  readonly circulatingView?: CirculatingView | null;
  /** Calls of a node, by its label; by default both report what the chain has. */
  readonly callOf?: (label: string) => Rpc;
}

/** Makes a deployment of a token before two nodes of an EVM chain, at the chain's present block. */
export function evmDeployment(
  chain: EvmChain,
  { schedule, settings = {}, circulatingView = null, callOf = () => callsOf(chain), ...world }: EvmDeployment,
) {
  const { number, hash, timestampSeconds } = chain.head;
  const head = { number, hash, timestampMs: timestampSeconds * 1_000 };
  return deploymentWorld({
    ...world,
    schedule,
    nodes: NODES,
    settings: { ...ON_EVM.settings, ...settings },
    chainNodes: () =>
      NODES.map((label) =>
        evmNode({ label, chainId: 1, head, call: callOf(label) }, walletsOf(schedule), circulatingView),
      ),
  });
}

/** Makes the calls of a node of a chain. */
export function callsOf(chain: EvmChain): Rpc {
  return async (method, params) => {
    const answer = await chain.answer(method, params);
    return "result" in answer ? { kind: "result", value: answer.result } : { kind: "error", code: answer.error.code };
  };
}
