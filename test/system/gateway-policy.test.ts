import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Answer, type Edge, startEdge } from "../support/edge.ts";
import { hashOf } from "../support/fake-chain.ts";
import { FakeNode } from "../support/fake-node.ts";
import { SLOW } from "../support/runtime.ts";

/** Outside production a chain may be reset, so browsers must revalidate. */
const IMMUTABLE = "no-cache";

let node: FakeNode;
let edge: Edge;

beforeAll(async () => {
  node = await FakeNode.start();
  node.version = 100n;
  // Two requests in a row are within the seconds for which an answer is fresh, also on a busy machine.
  edge = await startEdge([node.url], { NODE_API_KEY: "very-secret" }, { speed: SLOW });
  // Every shard reads some blocks at first use, to recognize the chain.
  for (let key = 0; key < 36; key += 1) await edge.get(`/v1/accounts/0x${(0xe000 + key).toString(16)}`);
});
afterAll(async () => {
  await edge.close();
  await node.stop();
});
beforeEach(() => {
  node.fault = () => null;
});

const BCS = { Accept: "application/x-bcs" };
const item = (key: string): string => JSON.stringify({ key_type: "u64", value_type: "u64", key });
/** Calls for a request: the edge also reads the ledger and blocks by itself. */
const calls = (path = ""): number => {
  const isOwn = (each: string) => each !== "" && (path.includes("/blocks/") || !each.startsWith("/blocks/"));
  return node.requests.filter((request) => isOwn(request.path)).length;
};

type Call = readonly [method: "GET" | "POST", path: string, body?: string];
const send = ([method, path, body]: Call): Promise<Answer> =>
  method === "GET" ? edge.get(path) : edge.post(path, body ?? "");

/** Every row of the cache policy, requested twice: the number of upstream calls, and the Cache-Control. */
const POLICY: readonly (readonly [what: string, Call, upstream: number, cacheControl: string])[] = [
  ["health", ["GET", "/v1/-/healthy"], 2, "no-store"],
  ["an account at the tip", ["GET", "/v1/accounts/0xa1"], 1, "no-cache"],
  ["an account at a version", ["GET", "/v1/accounts/0xa1?ledger_version=7"], 1, IMMUTABLE],
  ["a missing account", ["GET", "/v1/accounts/0xdead"], 1, "no-store"],
  ["a resource", ["GET", "/v1/accounts/0xa1/resource/0x1::a::B"], 1, "no-cache"],
  ["a missing one at a version", ["GET", "/v1/accounts/0xa1/resource/0x1::a::Missing?ledger_version=7"], 1, "no-store"],
  ["resources at a version", ["GET", "/v1/accounts/0xa1/resources?ledger_version=7"], 1, IMMUTABLE],
  ["a module", ["GET", "/v1/accounts/0xa1/module/coin"], 1, "no-cache"],
  ["a balance", ["GET", "/v1/accounts/0xa1/balance/0x1::a::B"], 1, "no-cache"],
  ["events without a start", ["GET", "/v1/accounts/0xa1/events/3"], 1, "no-cache"],
  ["a block", ["GET", "/v1/blocks/by_height/5"], 1, IMMUTABLE],
  ["a block that does not exist yet", ["GET", "/v1/blocks/by_height/900"], 1, "no-store"],
  ["a transaction by version", ["GET", "/v1/transactions/by_version/5"], 1, IMMUTABLE],
  ["a transaction by hash", ["GET", `/v1/transactions/by_hash/${hashOf(6n)}`], 1, IMMUTABLE],
  ["an unknown hash", ["GET", `/v1/transactions/by_hash/0x${"00".repeat(31)}ff`], 2, "no-store"],
  ["a full page from a start", ["GET", "/v1/transactions?start=10&limit=5"], 1, IMMUTABLE],
  ["a page that may grow", ["GET", "/v1/transactions?start=98&limit=20"], 1, "no-cache"],
  ["a page beyond the tip", ["GET", "/v1/transactions?start=5000"], 2, "no-store"],
  ["a gas estimate", ["GET", "/v1/estimate_gas_price"], 1, "public, max-age=2"],
  ["a table item at a version", ["POST", "/v1/tables/0x7/item?ledger_version=7", item("1")], 1, IMMUTABLE],
  ["a table item at the tip", ["POST", "/v1/tables/0x7/item", item("2")], 1, "no-cache"],
  ["a view", ["POST", "/v1/view", '{"function":"0x1::a::b","type_arguments":[],"arguments":[]}'], 1, "no-cache"],
  ["a submit", ["POST", "/v1/transactions", '{"sender":"0x1"}'], 2, "no-store"],
  ["a batch", ["POST", "/v1/transactions/batch", "[]"], 2, "no-store"],
  ["a simulation", ["POST", "/v1/transactions/simulate", "{}"], 2, "no-store"],
  ["an encoding", ["POST", "/v1/transactions/encode_submission", "{}"], 2, "no-store"],
];

test.each(POLICY)("%s: %j twice is %i upstream calls, %s", async (_what, call, upstream, cacheControl) => {
  const before = node.requests.length;
  const first = await send(call);
  const second = await send(call);
  // The edge also reads the ledger and a block from time to time, to follow the tip and recognize the chain.
  const isOwn = (path: string) => path !== "" && (call[1].includes("/blocks/") || !path.startsWith("/blocks/"));
  expect(node.requests.slice(before).filter(({ path }) => isOwn(path)).length).toBe(upstream);
  expect([first.status, first.text]).toEqual([second.status, second.text]);
  expect(first.headers.get("Cache-Control")).toBe(cacheControl);
  expect(second.headers.get("Cache-Status")?.includes("hit")).toBe(upstream === 1);
});

test("ledger information is requested again only when the tip has moved", async () => {
  const [first, second] = [await edge.get("/v1"), await edge.get("/v1")];
  expect(second.headers.get("Cache-Status")).toContain("hit");
  expect(JSON.parse(second.text).ledger_version).toBe(first.headers.get("X-NODE-LEDGER-VERSION"));
});

test("pending, then committed: never pending after committed, and stored only then", async () => {
  const hash = hashOf(node.version + 1n);
  const path = `/v1/transactions/by_hash/${hash}`;
  node.pending.add(hash);
  expect(JSON.parse((await edge.get(path)).text).type).toBe("pending_transaction");
  expect(JSON.parse((await edge.get(path)).text).type).toBe("pending_transaction");
  node.pending.delete(hash);
  node.version += 1n;
  // A wait finds it, and by_hash then has the same response.
  const waited = await edge.get(`/v1/transactions/wait_by_hash/${hash}`);
  expect(JSON.parse(waited.text).version).toBe(String(node.version));
  const stored = await edge.get(path);
  expect([stored.text, stored.headers.get("Cache-Status")]).toEqual([waited.text, expect.stringContaining("hit")]);
});

/** Each group is one request in several forms. */
const FORMS: readonly (readonly string[])[] = [
  [
    "/v1/accounts/0xb1",
    "/v1/accounts/b1",
    "/v1/accounts/0x00B1",
    `/v1/accounts/0x${"b1".padStart(64, "0")}`,
    "/v1/accounts/0xb1?utm=1",
    "/v1/accounts/%30xb1",
  ],
  [`/v1/transactions/by_hash/${hashOf(9n)}`, `/v1/transactions/by_hash/${hashOf(9n).slice(2).toUpperCase()}`],
  ["/v1/transactions/by_version/12", "/v1/transactions/by_version/0012"],
  [
    "/v1/transactions?start=20&limit=25",
    "/v1/transactions?start=20",
    "/v1/transactions?limit=25&start=020",
    "/v1/transactions?x=y&start=20",
  ],
  ["/v1/transactions?start=0&limit=100", "/v1/transactions?start=0&limit=65535"],
  ["/v1/blocks/by_height/8", "/v1/blocks/by_height/8?with_transactions=false"],
  [
    "/v1/accounts/0xb1/resource/0x1::a::B%3C0x2::c::D,u8%3E",
    "/v1/accounts/0xb1/resource/0x01::a::B<0x0002::c::D,%20u8>",
    "/v1/accounts/0xb1/resource/0x1%3A%3Aa%3A%3AB%3C%200x2::c::D%20,%20u8%3E",
  ],
];

test.each(FORMS)("%s and its other forms are one key", async (...paths) => {
  const before = calls(paths[0]);
  const answers: Answer[] = [];
  for (const path of paths) answers.push(await edge.get(path));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(calls(paths[0]) - before).toBe(1);
});

test("the bytes of a body are its key", async () => {
  const path = "/v1/tables/0x9/item";
  // Numbers that JSON.parse would round to the same value must not share a key.
  const [one, two] = ["9007199254740992", "9007199254740993"].map(
    (key) => `{"key_type":"u128","value_type":"u64","key":${key}}`,
  );
  const answers = [];
  for (const body of [one, one, two]) answers.push((await edge.post(path, body ?? "")).text);
  expect([answers[0] === answers[1], answers[1] === answers[2]]).toEqual([true, false]);
  expect(node.calls("/tables/0x9/item")).toBe(2);
});

test("JSON and BCS responses are never mixed up", async () => {
  const path = "/v1/transactions/by_version/31";
  expect((await edge.get(path)).status).toBe(200);
  // This node has no BCS: its JSON is not served as BCS.
  expect((await edge.get(path, BCS)).status).toBe(502);
  expect((await edge.get(path)).headers.get("Cache-Status")).toContain("hit");
});

test("a hit has the node's fields under our prefix, but not its cookies or server name", async () => {
  const path = "/v1/accounts/0xc1/resources?ledger_version=7";
  const [miss, hit] = [await edge.get(path), await edge.get(path)];
  for (const answer of [miss, hit]) {
    expect(answer.headers.get("X-NODE-CURSOR")).toBe("00ab");
    expect(answer.headers.get("X-NODE-CHAIN-ID")).toBe("4");
    expect([answer.headers.get("Set-Cookie"), answer.headers.get("Server")]).toEqual([null, null]);
    expect(answer.headers.get("RateLimit")).toMatch(/^node;r=\d+;t=\d+$/);
    expect(answer.headers.get("X-Request-Id")).toBeTruthy();
  }
  const etag = hit.headers.get("ETag") ?? "";
  const again = await edge.get(path, { "If-None-Match": etag });
  expect([again.status, again.text]).toEqual([304, ""]);
});

test("a page of another origin may read every field and send credentials", async () => {
  const answer = await edge.get("/v1/accounts/0xc1/resources", { Origin: "https://wallet.example" });
  expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("https://wallet.example");
  expect(answer.headers.get("Access-Control-Expose-Headers")).toContain("X-NODE-CURSOR");
  expect(answer.headers.get("Vary")).toContain("Origin");
  const other = await edge.get("/v1/accounts/0xc1/resources", { Origin: "https://else.example" });
  expect(other.headers.get("Access-Control-Allow-Origin")).toBe("https://else.example");
});

const REFUSED: readonly (readonly [Call, number, string])[] = [
  [["GET", "/v1/accounts/0xzz"], 400, "web_framework_error"],
  [["GET", `/v1/accounts/0x1${"0".repeat(64)}`], 400, "web_framework_error"],
  [["GET", "/v1/transactions/by_hash/0x12"], 400, "web_framework_error"],
  [["GET", "/v1/transactions/by_version/18446744073709551616"], 400, "web_framework_error"],
  [["GET", "/v1/transactions/by_version/-1"], 400, "web_framework_error"],
  [["GET", "/v1/blocks/by_height/1.5"], 400, "web_framework_error"],
  [["GET", "/v1/transactions?limit=0"], 400, "invalid_input"],
  [["GET", "/v1/transactions?limit=65536"], 400, "web_framework_error"],
  [["GET", "/v1/transactions?start=x"], 400, "web_framework_error"],
  [["GET", "/v1/accounts/0x1?ledger_version=1e3"], 400, "web_framework_error"],
  [["GET", "/v1/blocks/by_height/1?with_transactions=maybe"], 400, "web_framework_error"],
  [["GET", "/v1/accounts/0x1/resource/0x1::GUID_Generator"], 400, "web_framework_error"],
  [["GET", "/v1/accounts/0x1/module/not-a-name"], 400, "web_framework_error"],
  [["GET", "/v1/nope"], 404, "web_framework_error"],
  [["GET", "/v1/accounts/0x1/"], 404, "web_framework_error"],
  [["POST", "/v1/accounts/0x1", "{}"], 405, "web_framework_error"],
];

test.each(REFUSED)("%j is refused with %i %s, without an upstream call", async (call, status, code) => {
  const before = calls();
  const answer = await send(call);
  expect([answer.status, JSON.parse(answer.text)]).toEqual([
    status,
    { message: expect.any(String), error_code: code, vm_error_code: null },
  ]);
  expect(calls()).toBe(before);
});

test("media types and sizes are refused without an upstream call", async () => {
  const before = calls();
  const wrong = await edge.post("/v1/transactions", "x", { "Content-Type": "text/plain" });
  const big = await edge.post("/v1/transactions", "x".repeat(8 * 1_048_576 + 1));
  expect([wrong.status, big.status]).toEqual([415, 413]);
  expect(calls()).toBe(before);
});

/** GET of a path byte for byte: `fetch` would resolve `..` and `%2e%2e` before sending. */
function statusAsWritten(path: string): Promise<number> {
  const { hostname, port } = new URL(edge.url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, path }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject).end();
  });
}

describe("a caller's request", () => {
  const PATHS: readonly (readonly [path: string, status: number, reachesNode: readonly string[]])[] = [
    ["/v1/accounts/0x1%2F..%2F..%2Fadmin", 400, []],
    ["/v1/accounts/%2e%2e/admin", 404, []],
    ["/v1/../admin", 404, []],
    ["/v1//admin", 404, []],
    ["/v1/http://127.0.0.1:1/", 404, []],
    ["/v1/accounts/0x1/module/%2e%2e%2fadmin", 400, []],
    ["/v1/accounts/0x1/resources?start=%2e%2e%2f%2e%2e", 400, []],
    ["/v1/accounts/0x1/resources?start=a%26limit=1%23", 400, []],
    ["/v1/accounts/0x1/events/0x1::a::B/x%00y", 400, []],
    ["/v1/accounts/0x1/events/0x1::a::B/%2E%2E", 400, []],
    ["/v1/accounts/%30x0d2", 200, ["/accounts/0xd2"]],
  ];

  test.each(PATHS)("%s (%i) reaches the node only as %j", async (path, status, reachesNode) => {
    const before = node.requests.length;
    expect(await statusAsWritten(path)).toBe(status);
    const reached = node.requests.slice(before).map((request) => request.path);
    // The edge also reads the ledger and blocks by itself.
    expect(reached.filter((each) => each !== "" && !each.startsWith("/blocks/"))).toEqual(reachesNode);
  });

  test("reaches the node without the caller's cookie, address, host or key, with our secret", async () => {
    const before = node.requests.length;
    const headers = {
      Cookie: "session=1",
      Authorization: "Bearer theirs",
      "X-Forwarded-Host": "evil.example",
      "X-Forwarded-For": "1.2.3.4",
      Forwarded: "host=evil.example",
      "CF-Connecting-IP": "1.2.3.4",
      "User-Agent": "theirs",
      "Cache-Control": "no-cache",
      Range: "bytes=0-1",
      "If-None-Match": "*x",
    };
    expect((await edge.get("/v1/accounts/0xd1", headers)).status).toBe(200);
    const [request] = node.requests.slice(before).filter(({ path }) => path === "/accounts/0xd1");
    const sent = JSON.stringify(request?.headers);
    for (const theirs of ["session", "theirs", "evil", "1.2.3.4", "bytes"]) expect(sent).not.toContain(theirs);
    expect(request?.headers.authorization).toBe("Bearer very-secret");
    const answer = await edge.get("/v1/accounts/0xd1");
    expect(JSON.stringify([...answer.headers]) + answer.text + edge.log()).not.toContain("very-secret");
  });

  test("does not change another caller's response", async () => {
    const path = "/v1/accounts/0xd2";
    const plain = await edge.get(path);
    for (const headers of [
      { Accept: "text/html" },
      { "X-Value": "{}" },
      { "Accept-Encoding": "identity" },
      { Origin: "https://evil.example" },
    ])
      await edge.get(`${path}?evil=1`, headers);
    const after = await edge.get(path);
    expect([after.text, after.headers.get("Access-Control-Allow-Origin")]).toEqual([plain.text, null]);
  });
});
