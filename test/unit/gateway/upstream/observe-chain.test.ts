import { beforeEach, expect, test } from "vitest";
import type { ChainIdentity } from "../../../../src/gateway/upstream/chain-identity.ts";
import { observeChain } from "../../../../src/gateway/upstream/observe-chain.ts";
import { errorOf, NodeWorld, type SimulatedNode } from "./nodes.ts";

let world: NodeWorld;
let node: SimulatedNode;

beforeEach(() => {
  world = new NodeWorld(1);
  node = world.node(0);
});

const known = (heights: readonly bigint[], chainId = 4): ChainIdentity => ({
  epoch: 0,
  chainId,
  checkpoints: heights.map((height) => ({ height, hash: node.hashOf(height) })),
  isProvisional: false,
  behindSinceMs: null,
});

/** The observation, with the heights of the checkpoints instead of their blocks. */
async function observed(chain: ChainIdentity | null) {
  const [upstream] = world.pool.upstreams;
  if (upstream === undefined) throw new Error("no upstream");
  const observation = await world.time.run(observeChain(upstream, chain, world.ports));
  return {
    kind: observation?.kind ?? "unknown",
    heights: observation?.checkpoints.map(({ height }) => height) ?? null,
  };
}

test.each<[string, readonly bigint[] | null, Partial<SimulatedNode>, string, readonly bigint[] | null, number]>([
  ["nothing is known: it is another chain, with its ends", null, {}, "other", [1n, 1_000n], 3],
  ["one block is known: the same chain, with its ends", [900n], {}, "same", [1n, 1_000n], 4],
  ["two are known: the same chain, with its newest", [1n, 900n], {}, "same", [1_000n], 3],
  ["the newest is known: one block is compared", [1n, 1_000n], {}, "same", [], 2],
  ["it is below the newest: it is behind", [1n, 1_001n], {}, "behind", [1_000n], 3],
  ["it is below all that is known", [900n, 950n], { version: 50n }, "behind", [50n], 2],
  [
    "its history starts above all that is known",
    [1n, 50n],
    { ledger: { oldestBlockHeight: 60n } },
    "same",
    [1_000n],
    2,
  ],
  ["its first block has another hash", [1n], { salt: "b" }, "other", [1n, 1_000n], 4],
  ["it has one block only", null, { version: 1n }, "other", [1n], 2],
  ["it has none after genesis", null, { version: 0n }, "other", [0n], 2],
  ["its oldest block is not the first", null, { ledger: { oldestBlockHeight: 7n } }, "other", [7n, 1_000n], 3],
])("when %s", async (_when, heights, state, kind, checkpoints, requests) => {
  const chain = heights === null ? null : known(heights);
  Object.assign(node, state);
  expect(await observed(chain)).toEqual({ kind, heights: checkpoints });
  expect(node.requests).toHaveLength(requests);
});

test("another chain id is another chain, even with equal blocks", async () => {
  expect((await observed(known([1n], 9))).kind).toBe("other");
});

test.each(["", "/blocks/by_height/1"])("a failure of %j leaves it unknown", async (path) => {
  node.fault = (request) => (request.path === path ? errorOf("connect") : null);
  expect((await observed(known([1n]))).kind).toBe("unknown");
});
