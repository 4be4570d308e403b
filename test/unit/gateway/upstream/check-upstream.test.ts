import { beforeEach, expect, test } from "vitest";
import { checkUpstream } from "../../../../src/gateway/upstream/health-report.ts";
import { errorOf, ledgerAt, NodeWorld } from "./nodes.ts";

let world: NodeWorld;

beforeEach(() => {
  world = new NodeWorld(2);
});

const checkAll = () =>
  world.time.run(Promise.all(world.pool.upstreams.map((upstream) => checkUpstream(upstream, world.ports))));

test("a check for the health report names the upstream whose ledger the other one contradicts", async () => {
  world.node(0).headers = () => ledgerAt(5_000_000n);
  await checkAll();
  await checkAll();
  expect(world.exclusions).toEqual(["contradicts", null]);
  expect(world.pool.trusted?.ledger.version).toBe(1_000n);
});

test("upstreams that agree are not named", async () => {
  await checkAll();
  expect(world.exclusions).toEqual([null, null]);
  expect(world.pool.upstreams.map(({ state }) => state.contradictedAtMs)).toEqual([null, null]);
});

test("one that does not answer is suspect, and probed until its breaker opens", async () => {
  world.node(1).fault = () => errorOf("connect");
  for (let round = 0; round < 2; round += 1) {
    await checkAll();
    await world.settle();
  }
  expect(world.pool.upstreams.map(({ state }) => state.failedProbes >= 3)).toEqual([false, true]);
});
