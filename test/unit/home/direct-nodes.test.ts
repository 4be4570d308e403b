import { describe, expect, test } from "vitest";
import type { ViewCall } from "../../../src/chain/view.ts";
import type { UpstreamResult } from "../../../src/gateway/upstream/client.ts";
import { probeAll } from "../../../src/gateway/upstream/trust.ts";
import { update } from "../../../src/gateway/upstream/upstreams.ts";
import { directNodes } from "../../../src/home/direct-nodes.ts";
import { errorOf, ledgerAt, NodeWorld, responseOf } from "../gateway/upstream/nodes.ts";

const CALL: ViewCall = {
  function: "0x1::coin::supply",
  typeArguments: ["0x1::a::A"],
  arguments: ["0x2"],
  ledgerVersion: 7n,
};
const NEVER = () => false;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A view's answer from an upstream. */
function viewed(response: ReturnType<typeof responseOf>, kind: "committed" | "failed" = "committed"): UpstreamResult {
  const classification = { kind, revealsVersion: 9n };
  return { kind: "response", response, classification, dialect: "node" };
}

describe("a view for a figure", () => {
  /** Reads from the one upstream, after it has answered its probe. */
  async function read(result: UpstreamResult) {
    const world = new NodeWorld(1);
    await world.time.run(probeAll(world.pool.upstreams, world.ports));
    const node = world.node(0);
    node.fault = ({ endpoint }) => (endpoint === "ledger_info" ? null : result);
    const [answering] = directNodes(world.ports, NEVER);
    if (answering === undefined) throw new Error("the upstream answers");
    return { ...answering, node, found: await world.time.run(answering.readView(CALL)) };
  }

  test("is one canonical request to that node, at that version", async () => {
    const { node, label, ledger } = await read(viewed(responseOf(["5"], ledgerAt(9n))));
    expect([label, ledger.version]).toEqual(["upstream-1", node.version]);
    expect(node.requestPaths).toEqual(["/view?ledger_version=7"]);
    const { body, accept, contentType } = node.requests.at(-1) ?? {};
    expect([accept, contentType]).toEqual(["json", "application/json"]);
    expect(JSON.parse(new TextDecoder().decode(body instanceof Uint8Array ? body : undefined))).toEqual({
      function: "0x1::coin::supply",
      type_arguments: ["0x1::a::A"],
      arguments: ["0x2"],
    });
  });

  test.each<[string, UpstreamResult, unknown]>([
    [
      "that returns values has them, with their version",
      viewed(responseOf(["5", []], ledgerAt(9n))),
      { kind: "returned", values: ["5", []], ledgerVersion: 9n },
    ],
    [
      "of a node that reports no ledger has no version",
      viewed(responseOf(["5"], null)),
      { kind: "returned", values: ["5"], ledgerVersion: null },
    ],
    ["that fails is refused", viewed(responseOf({}, ledgerAt(9n), 400)), { kind: "refused", status: 400 }],
    ["with another body is refused", viewed(responseOf({}, ledgerAt(9n))), { kind: "refused", status: 200 }],
    ["that something before the node refuses is no answer", errorOf("refused", 403), { kind: "unavailable" }],
    [
      "that the node fails to answer is unavailable",
      viewed(responseOf({}, ledgerAt(9n), 500), "failed"),
      { kind: "unavailable" },
    ],
    ["without a connection is unavailable", errorOf("connect"), { kind: "unavailable" }],
    ["without an answer in time is unavailable", errorOf("timeout"), { kind: "unavailable" }],
  ])("%s", async (_what, result, expected) => {
    expect((await read(result)).found).toEqual(expected);
  });

  test("that is too large is refused, and its connection closed", async () => {
    let isCancelled = false;
    const cancel = (): void => {
      isCancelled = true;
    };
    const large = { length: 2_000_000, stream: new ReadableStream<Uint8Array>({ cancel }) };
    const response = { ...responseOf(["5"], ledgerAt(9n)), body: bytes("["), large };
    expect((await read(viewed(response))).found).toEqual({ kind: "refused", status: 200 });
    expect(isCancelled).toBe(true);
  });
});

test("a figure is asked of the upstreams that have just answered, a contradicted one too, in the operator's order", async () => {
  const world = new NodeWorld(5);
  expect(directNodes(world.ports, NEVER)).toEqual([]);
  world.node(1).fault = () => errorOf("connect");
  await world.time.run(probeAll(world.pool.upstreams, world.ports));
  const [, , third, fourth] = world.pool.upstreams;
  if (third === undefined || fourth === undefined) throw new Error("there are five");
  update(third, { excluded: { why: "contradicts", atMs: world.time.nowMs }, ledger: null });
  update(fourth, { excluded: { why: "wrong_chain", atMs: world.time.nowMs } });
  const nodes = directNodes(world.ports, NEVER);
  expect(nodes.map(({ label, ledger }) => [label, ledger.version])).toEqual(
    ["upstream-1", "upstream-3", "upstream-5"].map((label) => [label, world.node(0).version]),
  );
});

test("an answer of another chain than the probe's is no answer", async () => {
  const world = new NodeWorld(1);
  await world.time.run(probeAll(world.pool.upstreams, world.ports));
  const [node] = directNodes(world.ports, NEVER);
  const answered = async (chainId: number) => {
    world.node(0).fault = () => viewed(responseOf(["777"], { ...ledgerAt(9n), chainId }));
    return node && world.time.run(node.readView(CALL));
  };
  expect(await answered(ledgerAt(9n).chainId + 1)).toEqual({ kind: "unavailable" });
  expect(await answered(ledgerAt(9n).chainId)).toMatchObject({ kind: "returned", values: ["777"] });
});

test("a node whose time is over is sent nothing more", async () => {
  const world = new NodeWorld(1);
  await world.time.run(probeAll(world.pool.upstreams, world.ports));
  let isOver = false;
  const [node] = directNodes(world.ports, () => isOver);
  const read = async () => node && world.time.run(node.readView(CALL));
  await read();
  const sent = world.node(0).requestPaths.length;
  isOver = true;
  expect(await read()).toEqual({ kind: "unavailable" });
  expect(world.node(0).requestPaths).toHaveLength(sent);
});

test("what one reports of the present excludes no other one, however far ahead it is", async () => {
  const world = new NodeWorld(2);
  const [stopped, following] = [world.node(0), world.node(1)];
  const secondsAgo = (seconds: number) => ({ timestampMicros: BigInt(world.time.nowMs - seconds * 1_000) * 1_000n });
  stopped.version = 100n;
  stopped.ledger = secondsAgo(30);
  following.version = 200n;
  following.ledger = secondsAgo(1);
  const labels = async () => {
    await world.time.run(probeAll(world.pool.upstreams, world.ports));
    return directNodes(world.ports, NEVER).map(({ label }) => label);
  };
  expect(await labels()).toEqual(["upstream-1", "upstream-2"]);
  // Control: one that does not answer is left out.
  following.fault = () => errorOf("connect");
  expect(await labels()).toEqual(["upstream-1"]);
});
