import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { scheduleView } from "../../../../../src/supply/representations.ts";
import { holdingKey, walletsOf } from "../../../../../src/supply/wallets.ts";
import native from "../../../../fixtures/schedule/native.json" with { type: "json" };
import { closing, listening } from "../../../../support/listening.ts";
import { bucket, file, valid, wallet } from "../../../supply/schedules.ts";

/** Used part of the modules of `/verify`, which need a browser's types that this test project lacks. */
interface Line {
  readonly label: string;
  readonly kind: string;
  readonly node: bigint | null;
  readonly ours: bigint | null;
}
interface Outcome {
  readonly kind: string;
  readonly lines?: readonly Line[];
}
interface Modules {
  readonly compare: (node: object, check: object) => Promise<Outcome>;
  readonly checkVerdict: (outcome: object, family: "move", exact: (units: bigint) => string) => object;
  readonly checkPlan: (
    bytes: ArrayBufferLike,
    api: object,
    nowMs: number,
  ) => Promise<{ readonly differsAt: string | null }>;
  readonly differenceText: (differsAt: string | null) => string;
  readonly exchangeWith: (address: string) => {
    readonly ask: (path: string, body?: object) => Promise<object>;
    readonly firstFailure: () => object | undefined;
  };
  readonly isServiceAddress: (address: string, pageOrigin: string, brandUrl: string | undefined) => boolean;
}
const modules = await Promise.all(
  ["compare", "words", "plan", "exchange", "address"].map(
    (name) => import(/* @vite-ignore */ `../../../../../page/src/verify/${name}.ts`),
  ),
);
const { compare, checkVerdict, checkPlan, differenceText, exchangeWith, isServiceAddress }: Modules = Object.assign(
  {},
  ...modules,
);

const UNIT = 10n ** 8n;
const VERSION = 120n;
const SCHEDULE = valid(
  file({
    buckets: [
      bucket({
        genesis: "900",
        phases: [{ kind: "never", amount: "100" }],
        addresses: [wallet("0xa1", { label: "Locked" })],
      }),
    ],
    wallets: [wallet("0xb2", { label: "Treasury", category: "treasury" })],
  }),
);
const BALANCES = new Map(walletsOf(SCHEDULE).map((one, index) => [holdingKey(one), (100n + BigInt(index)) * UNIT]));
const MINTED = 1_000n * UNIT;
const SERVED = {
  id: "native",
  family: "move",
  chainId: 4,
  version: VERSION,
  block: null,
  minted: MINTED,
  asset: { kind: "coin", text: "0x1::c::C" },
  readAt: "2026-11-21T12:00:00Z",
};

const amount = (units: bigint) => ({ tokens: "1", base_units: String(units) });

/** This service's answer, whose balances are those of the version, but for the named wallets: theirs are earlier. */
function breakdownWith(earlier: readonly string[] = [], chains?: readonly object[]) {
  return {
    as_of: SERVED.readAt,
    ledger_version: String(VERSION),
    minted_supply: amount(MINTED),
    circulating_supply_on_chain: amount(MINTED - 201n * UNIT),
    non_circulating_wallets: walletsOf(SCHEDULE).map((one) => ({
      chain: one.chain,
      address: one.address,
      holds: one.holds,
      pool: null,
      operator: null,
      balance: amount(BALANCES.get(holdingKey(one)) ?? 0n),
      ledger_version: earlier.includes(one.label) ? String(VERSION - 50n) : String(VERSION),
    })),
    ...(chains && { chains }),
  };
}

/** A node that says the truth, of the chain with that id. */
function honest(chainId = 4, escrows: readonly bigint[] = []) {
  const asked: string[] = [];
  return {
    asked,
    info: async () => ({ kind: "info", chainId, newest: VERSION + 9n, oldest: 0n }),
    firstFailure: () => undefined,
    chain: () => ({
      label: "",
      version: VERSION,
      supply: async () => {
        asked.push("supply");
        return { minted: MINTED, decimals: 8 };
      },
      balances: async (_asset: unknown, holdings: readonly Parameters<typeof holdingKey>[0][]) =>
        holdings.map((one, index) => {
          asked.push(one.address);
          const baseUnits = BALANCES.get(holdingKey(one)) ?? escrows[index - BALANCES.size] ?? 0n;
          return { baseUnits, stake: null, pool: null, ledgerVersion: VERSION, readAtMs: 0 };
        }),
    }),
  };
}

const verdict = async (node: object, breakdown: object): Promise<object> =>
  checkVerdict(await compare(node, { schedule: SCHEDULE, served: SERVED, breakdown }), "move", String);

describe("a check with a node", () => {
  test("control: an honest node is equal on every line", async () => {
    expect(await verdict(honest(), breakdownWith())).toEqual({
      text: "Equal to the base unit: at ledger version 120 this node and this service say the same on all 4 lines.",
      state: "verified",
    });
  });

  test("a node of another chain is named as such, and asked for no amount", async () => {
    const node = honest(5);
    expect(await verdict(node, breakdownWith())).toEqual({
      text: "This node follows chain 5, and this service reads chain 4: choose another node.",
      state: "none",
    });
    expect(node.asked).toEqual([]);
  });

  test("a balance that this service has of an earlier version is not compared, and nothing is verified", async () => {
    const earlier = breakdownWith(["Treasury"]);
    // Its amount at that version is another one: as of this version it would be a contradiction.
    for (const one of earlier.non_circulating_wallets)
      if (one.ledger_version !== String(VERSION)) Object.assign(one, { balance: amount(7n) });
    expect(await verdict(honest(), earlier)).toEqual({
      text: "What can be compared is equal; this service answers with an earlier balance for Treasury.",
      state: "none",
    });
  });

  test("this service's own gateway, under whatever name, is refused by that name", () => {
    const failure = { kind: "own_gateway", host: "edge.workers.example" };
    expect(checkVerdict({ kind: "failed", failure }, "move", String)).toEqual({
      text: "edge.workers.example answers as this service’s own gateway does, so it cannot be its witness: choose another node.",
      state: "short",
    });
  });

  test("a line that the node could not say verifies nothing", () => {
    const line = { label: "Minted", kind: "minted", node: MINTED, ours: MINTED as bigint | null, reason: "" };
    const stateOf = (...lines: object[]) => checkVerdict({ kind: "compared", version: VERSION, lines }, "move", String);
    expect(stateOf(line)).toMatchObject({ state: "verified" });
    expect(stateOf(line, { ...line, node: null })).toMatchObject({ state: "none" });
    expect(stateOf(line, { ...line, ours: null })).toMatchObject({ state: "none" });
    expect(stateOf({ ...line, ours: null }, { ...line, ours: 1n })).toMatchObject({ state: "short" });
  });

  test("an escrow that backs two chains is one line", async () => {
    const escrow = { chain: "native", address: "0xe5c", backs: ["eth", "base"], balance: amount(300n * UNIT) };
    const chains = ["eth", "base"].map((chain) => ({ chain, escrow }));
    const schedule = { ...SCHEDULE, chains: [] };
    const outcome = await compare(honest(4, [300n * UNIT]), {
      schedule,
      served: SERVED,
      breakdown: breakdownWith([], chains),
    });
    expect(outcome.lines?.filter(({ kind }) => kind === "escrow")).toEqual([
      expect.objectContaining({ label: "Escrow of eth, base", node: 300n * UNIT, ours: 300n * UNIT }),
    ]);
  });
});

describe("the published file, computed again", () => {
  const bytes = new TextEncoder().encode(JSON.stringify(native)).buffer;
  const NOW_MS = Date.UTC(2026, 10, 21);
  const api = () => JSON.parse(JSON.stringify(scheduleView(valid(native)))) as { rows: object[] };

  test("control: it is the API's", async () => {
    expect(await checkPlan(bytes, api(), NOW_MS)).toMatchObject({ differsAt: null, steps: api().rows.length });
  });

  test.each([
    [
      "the last row is missing",
      (rows: object[]) => rows.slice(0, -1),
      "this service’s figures end before those of the file",
    ],
    [
      "all rows after the present one are missing",
      (rows: object[]) => rows.slice(0, 50),
      "this service’s figures end before those of the file",
    ],
    [
      "there is a row more",
      (rows: object[]) => [...rows, { ...rows.at(-1), effective_from: "2099-01-01T00:00:00Z" }],
      "the figures differ from 1 Jan 2099 on",
    ],
  ])("%s: the verdict says so", async (_, change, difference) => {
    const { rows, ...rest } = api();
    const { differsAt } = await checkPlan(bytes, { ...rest, rows: change(rows) }, NOW_MS);
    expect(differenceText(differsAt)).toBe(difference);
  });
});

describe("what a foreign address answers", () => {
  /** A server of the reader's choice, what it was asked, and how many bytes it could send of its answer. */
  async function serving(answer: (request: IncomingMessage, response: ServerResponse) => void) {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      answer(request, response);
    });
    const url = await listening(server);
    onTestFinished(async () => {
      server.closeAllConnections();
      await closing(server);
    });
    return { url, asked };
  }

  test("a redirect is not followed: the node cannot be reached, and its target is not asked for the reader's words", async () => {
    const target = await serving((_request, response) => response.end("{}"));
    const node = await serving((_request, response) =>
      response.writeHead(302, { Location: `${target.url}/taken` }).end(),
    );
    const sent: { readonly [option: string]: unknown }[] = [];
    const real = globalThis.fetch;
    vi.stubGlobal("fetch", async (url: string, options: Record<string, unknown>) => {
      sent.push(options);
      // A browser sends what no page may read only if it follows redirects; its policy allows no other host.
      if (options["mode"] === "no-cors") throw new TypeError("blocked");
      return real(url, options);
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const { ask, firstFailure } = exchangeWith(node.url);
    expect(await ask("/v1/view", { function: "f" })).toEqual({ kind: "unreachable" });
    expect(firstFailure()).toEqual({ kind: "unreachable" });
    expect([node.asked, target.asked]).toEqual([["POST /v1/view"], []]);
    // The second request tells no more of the reader than the first one.
    const told = sent.map(({ credentials, referrerPolicy, cache }) => [credentials, referrerPolicy, cache]);
    expect(told).toEqual(Array(2).fill(["omit", "no-referrer", "no-store"]));
  });

  test.each([
    ["an answer of this gateway", { "X-Request-Id": "1", "Cache-Status": "edge; hit" }, "own_gateway"],
    ["a node that numbers its requests", { "X-Request-Id": "1" }, undefined],
    ["a node behind another cache", { "X-Request-Id": "1", "Cache-Status": "cdn.example; hit, edge; hit" }, undefined],
  ])("%s is recognised by what only this service sends", async (_, headers, kind) => {
    const { url } = await serving((_request, response) =>
      response.writeHead(200, { ...headers }).end('{"chain_id":4}'),
    );
    const { ask, firstFailure } = exchangeWith(url);
    const expected = kind === undefined ? { status: 200, value: { chain_id: 4 } } : { kind, host: new URL(url).host };
    expect(await ask("/v1")).toEqual(expected);
    expect(firstFailure()).toEqual(kind && expected);
  });

  test("no more of an answer is taken than any node needs to send", async () => {
    const CHUNK = Buffer.alloc(16_384, "x");
    let sentBytes = 0;
    let isClosed = false;
    const { url } = await serving((_request, response) => {
      response.on("close", () => (isClosed = true));
      response.write('"');
      const send = (): void => {
        while (!isClosed && sentBytes < 64 * 1_048_576) {
          sentBytes += CHUNK.length;
          if (!response.write(CHUNK)) return void response.once("drain", send);
        }
        response.end('"');
      };
      send();
    });
    expect(await exchangeWith(url).ask("/v1")).toEqual({ kind: "not_a_node" });
    await expect.poll(() => isClosed, { timeout: 10_000 }).toBe(true);
    expect(sentBytes, "the fault was injected").toBeGreaterThan(262_144);
    // What is under way between the two processes is lost too.
    expect(sentBytes).toBeLessThan(8 * 1_048_576);
  });
});

test.each([
  ["https://page.example/v1", true],
  ["https://api.example.org/v1", true],
  ["https://api.example.org:8443/v1", false],
  ["https://node.example/v1", false],
])(
  "%s, asked from a page at https://page.example whose brand names https://api.example.org: own is %s",
  (address, own) => {
    expect(isServiceAddress(address, "https://page.example", "https://api.example.org/")).toBe(own);
    expect(isServiceAddress(address, "https://page.example", undefined)).toBe(
      new URL(address).origin === "https://page.example",
    );
  },
);
