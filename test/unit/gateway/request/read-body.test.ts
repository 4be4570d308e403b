import { expect, test } from "vitest";
import { ByteBudget } from "../../../../src/gateway/byte-budget.ts";
import { joinChunks } from "../../../../src/gateway/request/byte-stream.ts";
import { ENDPOINTS } from "../../../../src/gateway/request/endpoints.ts";
import { wrongMediaType } from "../../../../src/gateway/request/node-errors.ts";
import { collectWithinBudget, maxBodyBytes, readRequestBody } from "../../../../src/gateway/request/read-body.ts";

const post = (body: string | null, headers: Record<string, string>): Request =>
  new Request("https://edge.example/v1/view", { method: "POST", body, headers });
const MIB = 1_048_576;
const limitsOf = ({ signal }: AbortController, largeBodies = new ByteBudget(MIB)) => ({
  signal,
  largeBodies,
  after: (_milliseconds: number, then: () => void) => {
    setImmediate(then);
    return () => undefined;
  },
});
const INCOMPLETE = [
  400,
  "parse request payload error: the body ended before its declared length, or took longer than 30 seconds",
];
/** The bytes read, released again, or the status and message of the refusal. */
const read = async (request: Request, maxBytes: number, limits = limitsOf(new AbortController())): Promise<unknown> => {
  const body = await readRequestBody(request, maxBytes, limits);
  if ("kind" in body) return [body.status, body.message];
  body.release();
  return new TextDecoder().decode(body.bytes);
};

test("transactions may have 8 MiB, bodies of reads 1 MiB", () => {
  const max = Object.fromEntries(
    ENDPOINTS.filter(({ body }) => body !== "none").map((endpoint) => [endpoint.id, maxBodyBytes(endpoint)]),
  );
  expect(max).toEqual({
    submit: 8_388_608,
    submit_batch: 8_388_608,
    simulate: 8_388_608,
    encode_submission: 8_388_608,
    table_item: 1_048_576,
    raw_table_item: 1_048_576,
    view: 1_048_576,
  });
});

test.each<[string, Request, number, unknown]>([
  ["as long as allowed", post("12345", { "Content-Length": "5" }), 5, "12345"],
  ["declared too long", post("123456", { "Content-Length": "6" }), 5, [413, "payload too large: at most 5 bytes"]],
  ["longer than declared", post("123456", { "Content-Length": "5" }), 5, [413, "payload too large: at most 5 bytes"]],
  ["of no declared length", post("1", { "Transfer-Encoding": "chunked" }), 5, [411, "missing `Content-Length` header"]],
  ["absent", post(null, {}), 5, [411, "missing `Content-Length` header"]],
  ["empty by declaration", post(null, { "Content-Length": "0" }), 5, ""],
])("a body that is %s", async (_what, request, maxBytes, expected) => {
  expect(await read(request, maxBytes)).toEqual(expected);
});

test("a caller that disconnects causes an unread response, and no exception", async () => {
  const broken = new ReadableStream({
    type: "bytes",
    pull: (controller) => controller.error(new Error("disconnected")),
  });
  const request = new Request("https://edge.example/", {
    ...{ method: "POST", body: broken, headers: { "Content-Length": "5" }, duplex: "half" },
  });
  expect(await read(request, 5)).toEqual(INCOMPLETE);
});

test("a body that stalls ends at the deadline", async () => {
  const deadline = new AbortController();
  const stalled = new ReadableStream({
    type: "bytes",
    pull: (controller) => {
      controller.enqueue(new Uint8Array([0x31]));
      return new Promise(() => deadline.abort());
    },
  });
  const request = new Request("https://edge.example/", {
    ...{ method: "POST", body: stalled, headers: { "Content-Length": "5" }, duplex: "half" },
  });
  expect(await read(request, 5, limitsOf(deadline))).toEqual(INCOMPLETE);
});

test("a large body reserves memory until it is released", async () => {
  const largeBodies = new ByteBudget(MIB);
  const request = post("x".repeat(MIB), { "Content-Length": String(MIB) });
  const body = await readRequestBody(request, MIB, limitsOf(new AbortController(), largeBodies));
  expect(largeBodies.tryReserve(1)).toBe(false);
  if ("kind" in body) throw new Error(body.message);
  expect(body.bytes.buffer.byteLength).toBe(MIB);
  body.release();
  expect(largeBodies.tryReserve(MIB)).toBe(true);
});

test("a large body reserves no memory before its bytes arrive", async () => {
  const largeBodies = new ByteBudget(MIB);
  const deadline = new AbortController();
  const silent = new ReadableStream({ type: "bytes", pull: () => new Promise(() => undefined) });
  const request = new Request("https://edge.example/", {
    ...{ method: "POST", body: silent, headers: { "Content-Length": String(MIB) }, duplex: "half" },
  });
  const reading = read(request, MIB, limitsOf(deadline, largeBodies));
  await new Promise((resolve) => setImmediate(resolve));
  expect(largeBodies.tryReserve(MIB)).toBe(true);
  deadline.abort();
  expect(await reading).toEqual(INCOMPLETE);
});

test("a large body waits until others release memory, and then releases its own", async () => {
  const largeBodies = new ByteBudget(MIB);
  largeBodies.tryReserve(MIB);
  const body = "x".repeat(MIB);
  const request = post(body, { "Content-Length": String(MIB) });
  const reading = read(request, MIB, limitsOf(new AbortController(), largeBodies));
  const first = await Promise.race([reading, new Promise((resolve) => setImmediate(() => resolve("waiting")))]);
  expect(first).toBe("waiting");
  largeBodies.release(MIB);
  expect(await reading).toBe(body);
  expect(largeBodies.tryReserve(MIB)).toBe(true);
});

test.each([
  [262_144, "read"],
  [262_145, "waiting"],
])("while no memory is left, a body of %i bytes is %s", async (bytes, expected) => {
  for (const headers of [{ "Content-Length": String(bytes) }, {}]) {
    const largeBodies = new ByteBudget(MIB);
    largeBodies.tryReserve(MIB);
    const reading = collectWithinBudget(post("x".repeat(bytes), { ...headers }), MIB, {
      ...limitsOf(new AbortController(), largeBodies),
      after: () => () => undefined,
    });
    const length = reading.then((body) => (body?.length === bytes ? "read" : "short"));
    let state = "waiting";
    for (let turn = 0; turn < 50 && state === "waiting"; turn += 1)
      state = await Promise.race([length, new Promise<string>((resolve) => setImmediate(resolve, "waiting"))]);
    expect(state).toBe(expected);
  }
});

test("a large body of unknown length that is too long releases its memory", async () => {
  const largeBodies = new ByteBudget(MIB);
  const limits = limitsOf(new AbortController(), largeBodies);
  expect(await collectWithinBudget(post("x".repeat(400_000), {}), 300_000, limits)).toBeUndefined();
  expect(largeBodies.tryReserve(MIB)).toBe(true);
});

test("a large body that breaks off releases its memory", async () => {
  const largeBodies = new ByteBudget(MIB);
  let chunks = 0;
  const body = new ReadableStream({
    type: "bytes",
    pull: (controller) => {
      chunks += 1;
      if (chunks > 5) controller.error(new Error("disconnected"));
      else controller.enqueue(new Uint8Array(100_000));
    },
  });
  const request = new Request("https://edge.example/", { ...{ method: "POST", body, duplex: "half" } });
  await expect(collectWithinBudget(request, MIB, limitsOf(new AbortController(), largeBodies))).rejects.toThrow();
  expect(chunks).toBe(6);
  expect(largeBodies.tryReserve(MIB)).toBe(true);
});

test("a refused media type is quoted up to 100 characters", () => {
  expect(wrongMediaType(`text/${"x".repeat(200)}`)).toMatchObject({
    status: 415,
    message: `the \`Content-Type\` requested by the client is not supported: text/${"x".repeat(95)}`,
  });
});

test.each([
  [[3], true],
  [[2, 3], false],
])("pieces of %j bytes are joined; a single one with a buffer of its own is not copied: %s", (lengths, isSame) => {
  const pieces = lengths.map((length) => new Uint8Array(length).fill(length));
  const joined = joinChunks(pieces);
  expect(joined).toEqual(Uint8Array.from(pieces.flatMap((piece) => [...piece])));
  expect(joined === pieces[0]).toBe(isSame);
});

test("a view of a larger buffer is copied, so that the rest of it can be freed", () => {
  const view = new Uint8Array(100).fill(7).subarray(10, 20);
  expect(joinChunks([view]).buffer.byteLength).toBe(10);
  expect(joinChunks([]).byteLength).toBe(0);
});
