import { describe, expect, test } from "vitest";
import { confirmViewOver, readTip, readViewOver } from "../../../src/gateway/internal-reads.ts";
import type { GatewayPorts } from "../../../src/gateway/isolate.ts";
import { Gateway } from "../../../src/gateway/isolate.ts";
import type { NodeRequest } from "../../../src/gateway/model/node-types.ts";
import type { ShieldResult } from "../../../src/gateway/shield/messages.ts";
import { exclude } from "../../../src/gateway/upstream/upstreams.ts";
import { cachedResponse, DOWN, portsWith, shieldValue } from "./scripted.ts";
import { errorOf, ledgerAt, NodeWorld, responseOf } from "./upstream/nodes.ts";

const CALL = { function: "0x1::coin::supply", typeArguments: ["0x1::a::A"], arguments: ["0x2"], ledgerVersion: null };
const NONE: ShieldResult = { found: DOWN, tip: null, tipAgeMs: 0, elapsedMs: 0 };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A gateway before a shield with one answer; null: it does not respond. */
function gatewayBefore(result: ShieldResult | null) {
  const requests: { readonly region: string; readonly request: NodeRequest }[] = [];
  const shield: GatewayPorts["shield"] = async (region, { request }) => {
    requests.push({ region, request });
    if (result === null) throw new Error("the object was reset");
    return result;
  };
  return { gateway: new Gateway(portsWith({ shield })), requests };
}

describe("a view for a figure", () => {
  const read = (result: ShieldResult | null, call = CALL) =>
    readViewOver(gatewayBefore(result).gateway, () => "weur")(call);

  test("is read in the region given, as one canonical request", async () => {
    const { gateway, requests } = gatewayBefore(shieldValue(cachedResponse()));
    const readView = readViewOver(gateway, () => "weur");
    await readView(CALL);
    await readView({ ...CALL, ledgerVersion: 7n });
    expect(requests.map(({ region, request: { path } }) => `${region} ${path}`)).toEqual([
      "weur /view",
      "weur /view?ledger_version=7",
    ]);
    const { body, accept, contentType } = requests[0]?.request ?? {};
    expect([accept, contentType]).toEqual(["json", "application/json"]);
    expect(JSON.parse(new TextDecoder().decode(body instanceof Uint8Array ? body : undefined))).toEqual({
      function: "0x1::coin::supply",
      type_arguments: ["0x1::a::A"],
      arguments: ["0x2"],
    });
  });

  test.each<[string, ShieldResult | null, unknown]>([
    [
      "that returns values has them, with their version and age in whole seconds",
      shieldValue(cachedResponse({ body: bytes('["5",[]]') }), { ageMs: 2_999 }),
      { kind: "returned", values: ["5", []], ledgerVersion: 9n, ageSeconds: 2 },
    ],
    [
      "of a node that reports no ledger has no version",
      shieldValue(cachedResponse({ ledger: null })),
      { kind: "returned", values: [], ledgerVersion: null, ageSeconds: 0 },
    ],
    ["that fails is refused", shieldValue(cachedResponse({ status: 400 })), { kind: "refused", status: 400 }],
    [
      "with another body is refused",
      shieldValue(cachedResponse({ body: bytes("{}") })),
      { kind: "refused", status: 200 },
    ],
    ["that no node answers is unavailable", NONE, { kind: "unavailable" }],
    ["without a shield is unavailable", null, { kind: "unavailable" }],
  ])("%s", async (_what, result, expected) => {
    expect(await read(result)).toEqual(expected);
  });

  test("that is too large is refused, and its connection closed", async () => {
    let isCancelled = false;
    const cancel = (): void => {
      isCancelled = true;
    };
    const stream = new ReadableStream<Uint8Array>({ cancel });
    const large = cachedResponse({ body: bytes("["), large: { length: 2_000_000, stream } });
    expect(await read(shieldValue(large))).toEqual({ kind: "refused", status: 200 });
    expect(isCancelled).toBe(true);
  });
});

describe("the tip for health", () => {
  test.each<[string, ShieldResult | null, string]>([
    ["from an upstream", shieldValue(cachedResponse()), "current"],
    ["from the shield", shieldValue(cachedResponse(), { source: "shield" }), "current"],
    ["served stale", shieldValue(cachedResponse(), { source: "stale" }), "stale"],
    ["refused by the node", shieldValue(cachedResponse({ status: 500, retention: "no-store" })), "unavailable"],
    ["from no upstream", NONE, "unavailable"],
    ["without a shield", null, "unavailable"],
  ])("%s is %s", async (_what, result, expected) => {
    const { gateway, requests } = gatewayBefore(result);
    expect(await readTip(gateway, "apac")).toBe(expected);
    expect(requests[0]).toMatchObject({ region: "apac", request: { endpoint: "ledger_info" } });
  });
});

test("a view is confirmed by every upstream that answers it at that version, past every cache", async () => {
  const world = new NodeWorld(4);
  const answers = [["5"], ["6"], ["7"], null] as const;
  for (const [index, node] of world.nodes.entries())
    node.fault = () => {
      const values = answers[index];
      if (values === null || values === undefined) return errorOf("connect");
      const classification = { kind: "valid", of: "committed", revealsVersion: 7n } as const;
      return { kind: "response", response: responseOf(values, ledgerAt(9n)), classification, dialect: "node" };
    };
  const excluded = world.pool.upstreams[2];
  if (excluded !== undefined) exclude(excluded, "contradicts", world.time.nowMs);
  const values = await world.time.run(confirmViewOver(world.ports)(CALL, 7n));
  expect(values).toEqual([["5"], ["6"]]);
  expect(world.node(0).requestPaths).toEqual(["/view?ledger_version=7"]);
});
