import { expect, test } from "vitest";
import { suspect } from "../../../../src/gateway/upstream/probe.ts";
import { errorOf, NodeWorld } from "./nodes.ts";

test("one probe at a time: requests that fail during a pause start no further probes", async () => {
  const world = new NodeWorld(1);
  const [upstream] = world.pool.upstreams;
  if (upstream === undefined) throw new Error("the world has one upstream");
  const node = world.node(0);
  node.fault = () => errorOf("connect");
  for (let failedRequest = 0; failedRequest < 10; failedRequest += 1) {
    suspect(upstream, world.ports);
    await world.time.pass(15);
  }
  // Probes take 10 ms and pause for 100 ms: the third is not out yet.
  expect([node.calls(""), upstream.state.breaker.openedAtMs]).toEqual([2, null]);
  await world.settle();
  expect(upstream.state.breaker.openedAtMs).not.toBeNull();
  // Three failed probes open the breaker, which then stays open for a second.
  expect(node.calls("")).toBe(3);
  await world.time.pass(1_000);
  node.fault = () => null;
  suspect(upstream, world.ports);
  await world.settle();
  expect([node.calls(""), upstream.state.breaker.openedAtMs]).toEqual([4, null]);
});
