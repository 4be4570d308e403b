import { describe, expect, test, vi } from "vitest";
import { type Edge, startEdge } from "../support/edge.ts";
import { FakeNode, type FaultKind, hashOf } from "../support/fake-node.ts";

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
      expect(await attack(world, 1, 2)).toContain("503 fresh");
    }),
  );
});

test.concurrent(
  "one absurd ledger version of one node affects no caller",
  inWorld(async ({ first, second, edge }) => {
    first.oldest = 500n;
    const far = { "X-NODE-LEDGER-VERSION": String(2n ** 63n - 1n) };
    second.ledgerHeaders = ({ path }) => (path.startsWith("/transactions/by_version/") ? far : {});
    const statuses: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const archived = await edge.get(`/v1/transactions/by_version/${60 + round}`);
      expect([archived.status, archived.version]).toEqual([200, 10_000n]);
      statuses.push((await edge.get(`/v1/accounts/0x${round + 1}`)).status);
    }
    expect(second.calls("/transactions/by_version/60"), "the version was really sent").toBe(1);
    expect(statuses).toEqual(Array(10).fill(200));
  }),
);

describe.concurrent("a chain that was reset behind the same address", () => {
  const reset = (node: FakeNode, version: bigint): void => {
    node.salt = "cd";
    node.version = version;
  };
  const blockAt = async (edge: Edge, height: number): Promise<string> => {
    const answer = await edge.get(`/v1/blocks/by_height/${height}`);
    return answer.status === 200 ? JSON.parse(answer.text).block_hash : String(answer.status);
  };

  test.each([
    ["at a lower version", 50n],
    ["at a higher version", 90_000n],
  ])(
    "%s is served within 75 s by all layers, and the old one by none",
    (_what, version) =>
      inWorld(async ({ first, second, edge }) => {
        expect(await blockAt(edge, 7)).toBe(hashOf(7n, "ab"));
        for (const node of [first, second]) reset(node, version);
        const untilMs = performance.now() + 75_000;
        const isNew = async (): Promise<boolean> =>
          (await blockAt(edge, 7)) === hashOf(7n, "cd") && (await edge.get("/v1/accounts/0x1")).version === version;
        while (!(await isNew()) && performance.now() < untilMs) await pause(500);
        expect(await isNew()).toBe(true);
        const other = await edge.other.get("/v1/blocks/by_height/7");
        expect(JSON.parse(other.text).block_hash).toBe(hashOf(7n, "cd"));
        for (let round = 0; round < 10; round += 1) expect(await isNew()).toBe(true);
        expect(edge.log()).toContain("chain_replaced");
      })(),
    120_000,
  );
});

test(
  "a reset of one node: reads use the other one, at every object",
  inWorld(async ({ first, edge }) => {
    first.salt = "cd";
    first.version = 50n;
    const keys = Array.from({ length: 48 }, (_none, key) => `/v1/accounts/0x${key + 1}`);
    const answers = await Promise.all(keys.map((path) => edge.get(path)));
    expect(new Set(answers.map(({ status, version }) => `${status} ${version}`))).toEqual(new Set(["200 10000"]));
    expect(first.requests.length, "the node of the new chain was called").toBeGreaterThan(0);
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
      expect(await problems(edge)).toContain("upstream_wrong_chain:upstream-2");
    }),
  );

  const far = { "X-NODE-LEDGER-VERSION": "5010000", "X-NODE-BLOCK-HEIGHT": "5010000" };

  test(
    "whose ledger another node contradicts, and not the other one",
    inWorld(async ({ first, edge }) => {
      first.ledgerHeaders = () => far;
      await read(edge);
      expect(await problems(edge)).toContain("upstream_contradicts:upstream-1");
      expect((await report(edge)).upstreams[1]?.lag).toBe("0");
    }),
  );

  test(
    "that contradicts itself in one kind of response, as some reads found",
    inWorld(async ({ first, edge }) => {
      first.ledgerHeaders = ({ path }) => (path.startsWith("/accounts/") ? far : {});
      await read(edge);
      expect(first.requests.length).toBeGreaterThan(0);
      await vi.waitFor(async () => expect(await problems(edge)).toContain("upstream_contradicts:upstream-1"), {
        timeout: 20_000,
        interval: 200,
      });
    }),
  );
});
