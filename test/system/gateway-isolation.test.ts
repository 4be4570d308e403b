import { describe, expect, test } from "vitest";
import { type Edge, startEdge } from "../support/edge.ts";
import { eventually } from "../support/eventually.ts";
import { FakeNode, type FaultKind } from "../support/fake-node.ts";

/** An edge before two nodes. */
interface World {
  readonly first: FakeNode;
  readonly second: FakeNode;
  readonly edge: Edge;
}

const POISON = "/accounts/0xbad";
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const inWorld = (run: (world: World) => Promise<void>) => async (): Promise<void> => {
  const [first, second] = [await FakeNode.start(), await FakeNode.start()];
  first.version = second.version = 10_000n;
  const edge = await startEdge([first.url, second.url]);
  try {
    await edge.get("/v1");
    await run({ first, second, edge });
  } finally {
    await edge.close();
    await Promise.all([first.stop(), second.stop()]);
  }
};

describe.concurrent("requests that fail at every node affect no other caller's reads", () => {
  /** Attackers send three such requests a second each. Returns the responses to others' reads meanwhile. */
  const attack = async ({ edge }: World, attackers: number, seconds: number): Promise<string[]> => {
    const answers: string[] = [];
    for (let second = 0; second < seconds; second += 1) {
      const poisoned = Array.from({ length: 3 * attackers }, () => edge.get(`/v1${POISON}`));
      const victims = Array.from({ length: 6 }, (_none, key) => edge.get(`/v1/accounts/0x${second}${key + 1}`));
      for (const { status, headers } of await Promise.all(victims))
        answers.push(`${status} ${headers.get("Cache-Status")?.includes("upstream-down") ? "stale" : "fresh"}`);
      await Promise.all(poisoned);
      await pause(500);
    }
    return answers;
  };

  test.each<[FaultKind, number]>([
    ["page_414", 1],
    ["page_414", 4],
    ["status_500", 1],
    ["status_500", 4],
    ["throttle", 4],
  ])("%s, from %d callers", (fault, attackers) =>
    inWorld(async (world) => {
      const { first, second } = world;
      first.fault = second.fault = ({ path }) => (path === POISON ? fault : null);
      const startedAtMs = performance.now();
      const answers = await attack(world, attackers, 6);
      expect(answers).toEqual(Array(36).fill("200 fresh"));
      expect(first.served.length, "the fault was really served").toBeGreaterThan(0);
      const seconds = (performance.now() - startedAtMs) / 1_000;
      const probes = first.calls("") + second.calls("");
      expect(probes / seconds, "look-ups of the ledger per second").toBeLessThan(20);
    })(),
  );

  test(
    "control: when the nodes fail every request, others' reads fail too",
    inWorld(async (world) => {
      world.first.fault = world.second.fault = () => "status_500";
      expect(await attack(world, 1, 2)).toContain("500 fresh");
    }),
  );
});

test.concurrent(
  "an absurd ledger version of one node affects no caller",
  inWorld(async ({ first, edge }) => {
    const far = { "X-NODE-LEDGER-VERSION": String(2n ** 63n - 1n) };
    first.ledgerHeaders = ({ path }) => (path.startsWith("/transactions/by_version/") ? far : {});
    for (let round = 0; round < 10; round += 1) {
      const [committed, current] = [
        await edge.get(`/v1/transactions/by_version/${60 + round}`),
        await edge.get(`/v1/accounts/0x${round + 1}`),
      ];
      expect([committed.status, committed.version, current.status]).toEqual([200, 10_000n, 200]);
    }
    expect(first.calls("/transactions/by_version/60"), "the version was really sent").toBe(1);
  }),
);

describe.concurrent("health reports the node", () => {
  const read = async (edge: Edge): Promise<void> => {
    for (let round = 0; round < 3; round += 1) await edge.get(`/v1/accounts/0x${round + 1}`);
  };
  const report = async (
    edge: Edge,
  ): Promise<{ problems: { code: string; subject: string }[]; upstreams: { lag: string }[] }> =>
    JSON.parse((await edge.get("/api/health")).text);
  const problems = async (edge: Edge): Promise<string[]> =>
    (await report(edge)).problems.map(({ code, subject }) => `${code}:${subject}`);

  test(
    "of another chain",
    inWorld(async ({ second, edge }) => {
      second.chainId = 9;
      await read(edge);
      await eventually(async () => expect(await problems(edge)).toContain("upstream_wrong_chain:upstream-2"));
    }),
  );

  test(
    "whose ledger another node contradicts, and not the other one",
    inWorld(async ({ first, second, edge }) => {
      // Before any version is known, a lower node contradicts nobody.
      expect(await problems(edge)).toEqual(expect.not.arrayContaining(["upstream_contradicts:upstream-1"]));
      await pause(1_100);
      // At the other node's time, in which no chain gets that far.
      first.ledgerHeaders = () => ({ "X-NODE-LEDGER-TIMESTAMPUSEC": `${second.version}000000` });
      first.version = 5_010_000n;
      await read(edge);
      await eventually(async () => expect(await problems(edge)).toContain("upstream_contradicts:upstream-1"));
      expect((await report(edge)).upstreams[1]?.lag).toBe("0");
    }),
  );
});
