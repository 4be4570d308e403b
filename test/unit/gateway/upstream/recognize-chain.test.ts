import { beforeEach, describe, expect, test } from "vitest";
import type { ChainIdentity } from "../../../../src/gateway/upstream/chain-identity.ts";
import { recognizeChain } from "../../../../src/gateway/upstream/recognize-chain.ts";
import { errorOf, NodeWorld } from "./nodes.ts";

let world: NodeWorld;

/** What a node follows: the known chain, another one, a part of it; or it does not respond. */
type State = "same" | "other" | "behind" | "silent";

function worldOf(...states: readonly State[]): void {
  world = new NodeWorld(states.length);
  for (const [index, state] of states.entries()) {
    const node = world.node(index);
    if (state === "other") node.salt = "b";
    if (state === "behind") node.version = 500n;
    if (state === "silent") node.fault = () => errorOf("connect");
  }
}
const known = (more: Partial<ChainIdentity> = {}): ChainIdentity => ({
  ...{ epoch: 3, chainId: 4, isProvisional: false, behindSinceMs: null },
  checkpoints: [1n, 1_000n].map((height) => ({ height, hash: `0x61${height.toString(16).padStart(62, "0")}` })),
  ...more,
});
const recognize = async (chain: ChainIdentity | null, configured: number | null = null) =>
  world.time.run(recognizeChain(chain, chain?.epoch ?? 0, world.ports, configured));

beforeEach(() => worldOf("same"));

describe("of a known chain", () => {
  test.each<[string, State[], Partial<ChainIdentity>, boolean, number[]]>([
    ["all upstreams follow it", ["same", "same"], {}, false, []],
    ["one of two follows another: it is excluded", ["same", "other"], {}, false, [1]],
    ["the preferred one of two follows another: it is excluded", ["other", "same"], {}, false, [0]],
    ["two of three follow another: it was replaced", ["same", "other", "other"], {}, true, []],
    ["the only one follows another: it was replaced", ["other"], {}, true, []],
    ["the only one that responds follows another", ["silent", "other"], {}, true, []],
    ["one is behind: no replacement is certain", ["behind", "other", "other"], {}, false, [1, 2]],
    ["none responds: nothing is", ["silent", "silent"], {}, false, []],
    ["learned without the preferred one, which follows another", ["other", "same"], { isProvisional: true }, true, []],
    [
      "learned without the preferred one, another follows another",
      ["same", "other"],
      { isProvisional: true },
      false,
      [1],
    ],
  ])("%s", async (_what, states, more, isReplaced, wrongChain) => {
    worldOf(...states);
    const found = await recognize(known(more));
    expect([found?.chain.epoch !== 3, found?.wrongChain]).toEqual([isReplaced, wrongChain]);
  });

  test("a replacement begins an epoch at its time, later than the one before", async () => {
    worldOf("other");
    const found = await recognize(known());
    expect(found?.chain).toMatchObject({ epoch: world.time.nowMs, chainId: 4, isProvisional: false });
    expect(found).toMatchObject({ outdated: [], trusted: null });
    expect((await recognize(known({ epoch: 9_000_000 })))?.chain.epoch).toBe(9_000_001);
  });

  test("a replacement is accepted when it is seen again a second later", async () => {
    worldOf("other");
    const startedAtMs = world.time.nowMs;
    await recognize(known());
    // Each observation compares two blocks and reads two others: four round trips at most.
    const observationsMs = world.time.nowMs - startedAtMs - 1_000;
    expect([observationsMs > 0, observationsMs <= 80]).toEqual([true, true]);
    worldOf("other");
    const deciding = recognize(known());
    void world.time.sleep(900).then(() => {
      world.node(0).salt = "a";
    });
    expect((await deciding)?.chain.epoch).toBe(3);
  });

  test("a configured chain is replaced by none of another id", async () => {
    worldOf("other");
    world.node(0).ledger = { chainId: 9 };
    expect((await recognize(known(), 4))?.chain).toMatchObject({ epoch: 3, chainId: 4 });
    expect((await recognize(known()))?.chain.chainId).toBe(9);
  });

  test.each([
    [["same", "silent"], false],
    [["silent", "same"], true],
  ] as const)("learned without the preferred upstream it stays so until that follows it: %j", async (states, stays) => {
    worldOf(...states);
    expect((await recognize(known({ isProvisional: true })))?.chain.isProvisional).toBe(stays);
  });
});

describe("while all upstreams are below blocks seen before", () => {
  const behindFor = async (milliseconds: number | null): Promise<ChainIdentity | undefined> => {
    worldOf("behind");
    // The observation takes time itself, and ends when it is compared.
    await recognize(known());
    const observationMs = world.time.nowMs - 1_000_000;
    const behindSinceMs = milliseconds === null ? null : world.time.nowMs + observationMs - milliseconds;
    return (await recognize(known({ behindSinceMs })))?.chain;
  };

  test("the time since is recorded", async () => {
    expect(await behindFor(null)).toMatchObject({ epoch: 3, behindSinceMs: world.time.nowMs });
    expect(await behindFor(20_000)).toMatchObject({ epoch: 3, behindSinceMs: world.time.nowMs - 20_000 });
  });

  test.each([
    [44_999, false],
    [45_000, true],
  ])("for %i ms, the chain counts as restored from a backup: %s", async (milliseconds, isRestored) => {
    expect((await behindFor(milliseconds))?.epoch !== 3).toBe(isRestored);
  });

  test("a clock that was set back begins the time again", async () => {
    expect(await behindFor(-1)).toMatchObject({ epoch: 3, behindSinceMs: world.time.nowMs });
  });

  test("one that is not behind ends it", async () => {
    worldOf("same", "behind");
    expect((await recognize(known({ behindSinceMs: 1 })))?.chain.behindSinceMs).toBeNull();
  });
});

describe("the first chain", () => {
  const ids = (...chainIds: readonly (number | null)[]): void => {
    worldOf(...chainIds.map((id) => (id === null ? "silent" : "same")));
    for (const [index, chainId] of chainIds.entries()) if (chainId !== null) world.node(index).ledger = { chainId };
  };

  test.each<[string, (number | null)[], number | null, object | null]>([
    ["is none while no upstream responds", [null, null], null, null],
    ["is that of most upstreams", [9, 4, 4], null, { chainId: 4, wrongChain: [0], isProvisional: false }],
    ["is the preferred one's on a tie", [9, 4], null, { chainId: 9, wrongChain: [1], isProvisional: false }],
    ["is provisional without the preferred one", [null, 4], null, { chainId: 4, wrongChain: [], isProvisional: true }],
    ["is the configured one", [9, 9, 4], 4, { chainId: 4, wrongChain: [0, 1], isProvisional: false }],
    ["is not provisional when it is configured", [null, 4], 4, { chainId: 4, wrongChain: [], isProvisional: false }],
    ["is none while no upstream follows the configured one", [9, 9], 4, null],
  ])("%s", async (_what, chainIds, configured, expected) => {
    ids(...chainIds);
    const found = await recognize(null, configured);
    if (found === null) expect(expected).toBeNull();
    else
      expect({
        ...{ chainId: found.chain.chainId, isProvisional: found.chain.isProvisional, wrongChain: found.wrongChain },
      }).toEqual(expected);
  });

  test("excludes upstreams of its id with other blocks", async () => {
    worldOf("same", "other");
    const found = await recognize(null);
    expect([found?.chain.checkpoints.length, found?.wrongChain, found?.trusted?.ledger.version]).toEqual([
      2,
      [1],
      1_000n,
    ]);
  });
});

test("upstreams of the chain that stopped following it are named", async () => {
  worldOf("same", "same");
  const timestampMicros = BigInt(world.time.nowMs) * 1_000n;
  world.node(0).ledger = { timestampMicros };
  world.node(1).ledger = { timestampMicros: timestampMicros - 10_000_001n };
  world.node(1).version = 999n;
  const found = await recognize(null);
  expect([found?.outdated, found?.trusted?.ledger.version]).toEqual([[1], 1_000n]);
});
