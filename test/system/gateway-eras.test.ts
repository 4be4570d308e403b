import { describe, expect, test } from "vitest";
import { type Answer, type Edge, startEdge } from "../support/edge.ts";
import { eventually } from "../support/eventually.ts";
import { hashOf } from "../support/fake-chain.ts";
import { FakeNode } from "../support/fake-node.ts";

/** Ten seconds of the Workers' and objects' clocks take one; or five, where a few seconds must be told from 45. */
const [SPEED, SLOWER] = [10, 2];

/** An edge before two nodes at version 10,000 of chain 4. */
interface World {
  readonly first: FakeNode;
  readonly second: FakeNode;
  readonly edge: Edge;
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
/**
 * Repeats a read until it is answered. At this speed an edge gives up after a second, which a busy machine takes for
 * a read.
 */
const answered = (read: () => Promise<Answer>): Promise<Answer> =>
  eventually(async () => {
    const answer = await read();
    expect(answer.status, answer.text).toBe(200);
    return answer;
  }, 50);
const tipOf = async (edge: Edge): Promise<bigint> => (await answered(() => edge.get("/v1/accounts/0x1"))).version;
const inWorld =
  (run: (world: World) => Promise<void>, settings: Record<string, string> = {}, speed = SPEED) =>
  async () => {
    const [first, second] = [await FakeNode.start(), await FakeNode.start()];
    first.version = second.version = 10_000n;
    const edge = await startEdge([first.url, second.url], settings, { speed });
    try {
      expect(await tipOf(edge)).toBe(10_000n);
      await run({ first, second, edge });
    } finally {
      await edge.close();
      await Promise.all([first.stop(), second.stop()]);
    }
  };
/** Runs for so many seconds of the edge's clock. */
async function forSeconds(seconds: number, run: (round: number) => Promise<void>): Promise<void> {
  const untilMs = performance.now() + (seconds * 1_000) / SPEED;
  for (let round = 0; performance.now() < untilMs; round += 1) await run(round);
}
/** Seconds within which another chain is served; one that is recognized at once takes some of them. */
const WITHOUT_RULE = 75;
/** Fewest reads to send. On a busy machine, a read from which the edge learns takes seconds of its clock. */
const MIN_READS = 30;
/** Expects tip reads at this version within 75 of the edge's seconds, and at no other one afterwards. */
async function expectServed(edge: Edge, version: bigint, speed = SPEED): Promise<void> {
  const startedAtMs = performance.now();
  const seconds = () => ((performance.now() - startedAtMs) * speed) / 1_000;
  const isThere = async () => (await edge.get("/v1/accounts/0x1")).version === version;
  for (let reads = 1; !(await isThere()); reads += 1) {
    if (seconds() > WITHOUT_RULE && reads >= MIN_READS) throw new Error(`no read at ${version} in ${seconds()} s`);
    await pause(2_000 / SPEED);
  }
  for (let round = 0; round < 5; round += 1) expect(await tipOf(edge)).toBe(version);
}

describe.concurrent("another chain", () => {
  test.each([
    ["with blocks", true],
    ["without blocks", false],
  ])(
    "behind the same addresses at a lower version, %s, is served within 75 s, and nothing of the old one",
    (_what, servesBlocks) =>
      inWorld(async ({ first, second, edge }) => {
        const [block, transaction] = ["/v1/blocks/by_height/7", "/v1/transactions/by_version/7"];
        const hashAt = async (path: string): Promise<string> => {
          const { text } = await answered(() => edge.get(path));
          return JSON.parse(text).block_hash ?? JSON.parse(text).hash;
        };
        expect(await hashAt(transaction)).toBe(hashOf(7n, "ab"));
        if (servesBlocks) expect(await hashAt(block)).toBe(hashOf(7n, "ab"));
        for (const node of [first, second]) {
          [node.salt, node.version] = ["cd", 50n];
          if (!servesBlocks) node.fault = ({ path }) => (path.startsWith("/blocks/") ? "status_500" : null);
        }
        await expectServed(edge, 50n);
        expect(await hashAt(transaction)).toBe(hashOf(7n, "cd"));
        expect(JSON.parse((await answered(() => edge.other.get(transaction))).text).hash).toBe(hashOf(7n, "cd"));
        if (servesBlocks) expect(await hashAt(block)).toBe(hashOf(7n, "cd"));
        const problems = async () => JSON.parse((await edge.get("/api/health")).text).problems;
        const message = expect.stringMatching(/version 10000 was needed, .* at 50\b/);
        const replaced = expect.objectContaining({ code: "chain_replaced", message });
        await eventually(async () => expect(await problems()).toContainEqual(replaced));
      })(),
  );

  test(
    "with another id behind both addresses is served after some seconds, without a setting",
    inWorld(
      async ({ first, second, edge }) => {
        for (const node of [first, second]) [node.chainId, node.version] = [9, 50n];
        await expectServed(edge, 50n, SLOWER);
      },
      {},
      SLOWER,
    ),
  );

  test(
    "that the settings name is served at once, whatever version was kept",
    inWorld(
      async ({ first, second, edge }) => {
        for (const node of [first, second]) [node.chainId, node.version] = [9, 50n];
        await edge.restart({ CHAIN_ID: "9" });
        await expectServed(edge, 50n, SLOWER);
      },
      { CHAIN_ID: "4" },
      SLOWER,
    ),
  );

  test(
    "at other addresses, without a configured id, is served at once",
    inWorld(
      async ({ edge }) => {
        const other = await FakeNode.start();
        [other.chainId, other.version] = [9, 50n];
        await edge.restart({ NODE_URLS: other.url });
        await expectServed(edge, 50n, SLOWER);
        await other.stop();
      },
      {},
      SLOWER,
    ),
  );

  test(
    "of a second upstream never takes over when the first fails, nor stays when it returns",
    inWorld(async ({ first, second, edge }) => {
      [second.chainId, second.version] = [9, 90_000n];
      first.fault = () => "reset";
      await forSeconds(30, async (round) => {
        const { status, headers } = await edge.get(`/v1/accounts/0x${round + 2}`);
        expect([status, headers.get("X-NODE-CHAIN-ID")]).toEqual([503, null]);
        await pause(250 / SPEED);
      });
      expect(second.requests.length, "the other chain really answered").toBeGreaterThan(0);
      first.fault = () => null;
      await expectServed(edge, 10_000n);
    }),
  );
});

describe.concurrent("a version that was never reached", () => {
  test.each([
    ["a plausible one, 40,000 ahead", 50_000n],
    ["one of the far future, which the only upstream repeats", 9_000_000_000n],
  ])("and was believed for four seconds binds its callers for at most 75 s: %s", (_what, version) =>
    inWorld(async ({ first, edge }) => {
      await edge.restart({ NODE_URLS: first.url });
      expect(await tipOf(edge)).toBe(10_000n);
      first.version = version;
      let account = 2n;
      const read = () => edge.get(`/v1/accounts/0x${(account++).toString(16)}`);
      await eventually(async () => expect((await read()).version, "it was really served").toBe(version), 50);
      await forSeconds(4, async () => void (await read()));
      first.version = 10_000n;
      await expectServed(edge, 10_000n);
    })(),
  );
});
