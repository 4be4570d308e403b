import { expect, test } from "vitest";
import { rpcOver } from "../../../src/families/evm/json-rpc.ts";
import { jsonExchangeOver } from "../../../src/home/json-exchange.ts";
import { nodesWorld } from "../onchain/nodes-world.ts";

/** The form of a lag in the document of `/api/health`. */
const LAG = /^(0|[1-9][0-9]*)$/;

test("a node that failed while it was ahead is 0 behind, in the document's form", async () => {
  const world = nodesWorld("evm", 2);
  world.node(1).ahead = 20n;
  await world.read();
  world.node(1).isDown = true;
  await world.time.pass(11_000);
  const lags = (await world.reports()).map(({ lag }) => lag);
  expect(lags).toEqual(["0", "0"]);
  for (const lag of lags) expect(lag).toMatch(LAG);
  // Control: a node that is behind says by how much.
  Object.assign(world.heal(1), { behindMs: 20_000 });
  await world.time.pass(11_000);
  expect((await world.reports()).map(({ lag }) => lag)).toEqual(["0", "10"]);
});

test.each([
  [2, ["0", "60"]],
  [3, ["0", "50", "0"]],
])("a node that has stopped is outdated at any place among %i nodes", async (count, lags) => {
  const behindMs = [0, 120_000, 20_000].slice(0, count);
  for (const [place] of behindMs.entries()) {
    const world = nodesWorld("evm", count);
    const inOrder = <T>(values: readonly T[]): T[] => [...values.slice(place), ...values.slice(0, place)];
    for (const [index, each] of inOrder(behindMs).entries()) Object.assign(world.node(index), { behindMs: each });
    const reports = await world.reports();
    expect(reports.map(({ isOutdated }) => isOutdated)).toEqual(inOrder(behindMs).map((each) => each === 120_000));
    expect(reports.map(({ lag }) => lag)).toEqual(inOrder(lags));
    expect(await world.health()).toMatchObject([
      { code: "upstream_outdated", subject: `upstream-${inOrder(behindMs).indexOf(120_000) + 1}` },
    ]);
  }
});

test("a node that limits our requests is excluded until the time that it names, and not unreachable", async () => {
  const world = nodesWorld("evm", 2);
  await world.read();
  world.node(1).isThrottled = true;
  await world.time.pass(11_000);
  const until = new Date(world.time.nowMs + 20_000).toISOString().slice(0, 16);
  expect((await world.reports())[1]).toMatchObject({
    exclusion: "throttled",
    cause: expect.stringMatching(new RegExp(`^limits our requests until ${until}.+Z \\(status 429\\)$`)),
  });
  expect((await world.health()).map(({ code }) => code)).toContain("upstream_excluded");
});

test("no call follows a redirect: its target is no configured node", async () => {
  const inits: RequestInit[] = [];
  const exchange = jsonExchangeOver(
    async (_path, init) => {
      inits.push(init);
      return new Response("", { status: 302, headers: { Location: "https://elsewhere.example/" } });
    },
    { after: () => () => undefined, now: () => 0, userAgent: "test" },
  );
  const call = rpcOver({ exchange });
  for (const method of ["eth_chainId", "eth_getBlockByNumber", "eth_call"])
    expect(await call(method, [])).toMatchObject({ kind: "none", status: 302 });
  expect(inits.map(({ redirect }) => redirect)).toEqual(["manual", "manual", "manual"]);
});
