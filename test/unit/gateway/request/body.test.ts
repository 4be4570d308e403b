import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { ENDPOINTS } from "../../../../src/chain/endpoints.ts";
import { maxBodyBytes, readRequestBody } from "../../../../src/gateway/request/body.ts";
import { wrongMediaType } from "../../../../src/gateway/request/node-errors.ts";
import { BodyMemoryLimit } from "../../../../src/http/body.ts";

const MIB = 1_048_576;
function post(body: BodyInit | null, headers: Record<string, string>): Request {
  // Node needs it for a stream; the types of workerd do not have it.
  const init = { method: "POST", body, headers, duplex: "half" };
  return new Request("https://edge.example/v1/view", init);
}
const INCOMPLETE = [
  400,
  "parse request payload error: the body ended before its declared length, or took longer than 30 seconds",
];
/** The text read, "stream" with its length, or the status and message of the refusal. */
async function read(
  request: Request,
  maxBytes: number,
  { memory = new BodyMemoryLimit(MIB), deadline = new AbortController(), key = "caller" } = {},
): Promise<unknown> {
  const body = await readRequestBody(request, maxBytes, key, memory, deadline);
  if ("kind" in body) return [body.status, body.message];
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : ["stream", body.length];
}

test("transactions may have 8 MiB, bodies of reads 1 MiB", () => {
  const rules = ENDPOINTS.filter(({ body }) => body !== "none").map((row) => [row.id, maxBodyBytes(row)]);
  const [large, small] = [8 * MIB, MIB];
  expect(Object.fromEntries(rules)).toEqual({
    submit: large,
    submit_batch: large,
    simulate: large,
    encode_submission: large,
    table_item: small,
    raw_table_item: small,
    view: small,
  });
});

const TOO_LARGE = [413, "payload too large: at most 5 bytes"];
test.each<[string, Request, unknown]>([
  ["as long as allowed", post("12345", { "Content-Length": "5" }), "12345"],
  ["declared too long", post("123456", { "Content-Length": "6" }), TOO_LARGE],
  ["longer than declared", post("123456", { "Content-Length": "5" }), TOO_LARGE],
  ["of no declared length", post("12345", { "Transfer-Encoding": "chunked" }), "12345"],
  ["of no declared length, and too long", post("123456", { "Transfer-Encoding": "chunked" }), TOO_LARGE],
  ["absent", post(null, {}), [411, "missing `Content-Length` header"]],
  ["empty by declaration", post(null, { "Content-Length": "0" }), ""],
])("a body that is %s", async (_what, request, expected) => {
  expect(await read(request, 5)).toEqual(expected);
});

const zipped = (text: string, encoding = "gzip", length?: number) => {
  const body = gzipSync(text);
  return post(body, { "Content-Length": String(length ?? body.length), "Content-Encoding": encoding });
};
const CORRUPT = [400, "parse request payload error: corrupt gzip stream"];
test.each<[string, Request, unknown]>([
  ["gzip", zipped("12345"), "12345"],
  ["x-gzip, in other letters", zipped("12345", " X-GZIP "), "12345"],
  ["identity", post("12345", { "Content-Length": "5", "Content-Encoding": "identity" }), "12345"],
  ["gzip of nothing", zipped(""), ""],
  ["gzip of a large text, within the bound", zipped("x".repeat(MIB)), "x".repeat(MIB)],
  ["gzip of more than is allowed", zipped("x".repeat(MIB + 1)), [413, `payload too large: at most ${MIB} bytes`]],
  [
    "gzip that is cut off",
    post(gzipSync("12345").subarray(0, 15), { "Content-Length": "15", "Content-Encoding": "gzip" }),
    CORRUPT,
  ],
  ["gzip that is none", post("12345", { "Content-Length": "5", "Content-Encoding": "gzip" }), CORRUPT],
  [
    "gzip of no declared length",
    post(gzipSync("12345"), { "Transfer-Encoding": "chunked", "Content-Encoding": "gzip" }),
    "12345",
  ],
  ...["br", "deflate", "zstd", "gzip, gzip", "gzip;q=1"].map((encoding): [string, Request, unknown] => [
    encoding,
    zipped("12345", encoding),
    [415, `the \`Content-Encoding\` of the body is not supported: ${encoding}; send gzip, or none`],
  ]),
])("a body encoded as %s", async (_what, request, expected) => {
  expect(await read(request, MIB, { memory: new BodyMemoryLimit(4 * MIB) })).toEqual(expected);
});

test("a small body that decodes to gigabytes holds no more memory than is allowed", async () => {
  const bomb = gzipSync(Buffer.alloc(64 * MIB));
  let held = 0;
  const memory = new BodyMemoryLimit(64 * MIB);
  const reserve = memory.reserve.bind(memory);
  memory.reserve = (...given) => {
    const room = reserve(...given);
    const grow = (bytes: number): void => {
      held += bytes;
    };
    return { ...room, grow };
  };
  const request = post(bomb, { "Content-Length": String(bomb.length), "Content-Encoding": "gzip" });
  expect(await read(request, MIB, { memory })).toEqual([413, `payload too large: at most ${MIB} bytes`]);
  expect(held).toBeLessThanOrEqual(MIB + bomb.length);
});

test.each([
  [262_144, 8 * MIB, "buffered"],
  [262_145, 8 * MIB, "stream"],
  [262_145, MIB, "buffered"],
])("a body of %i bytes where %i are allowed is a %s", async (bytes, maxBytes, expected) => {
  const request = post("x".repeat(bytes), { "Content-Length": String(bytes) });
  const body = await read(request, maxBytes);
  expect(Array.isArray(body) ? body : "buffered").toEqual(expected === "stream" ? ["stream", bytes] : "buffered");
});

test.each([
  [262_144, 8 * MIB, "buffered"],
  [262_145, 8 * MIB, [411, "missing `Content-Length` header"]],
  [MIB, MIB, "buffered"],
  [MIB + 1, MIB, [413, `payload too large: at most ${MIB} bytes`]],
])(
  "a body of %i bytes in chunks, where %i are allowed, needs no length while it is buffered: %j",
  async (bytes, maxBytes, expected) => {
    const body = await read(post("x".repeat(bytes), { "Transfer-Encoding": "chunked" }), maxBytes);
    expect(Array.isArray(body) ? body : "buffered").toEqual(expected);
  },
);

test("a caller that disconnects causes an unread response, and no exception", async () => {
  const broken = new ReadableStream({ type: "bytes", pull: (to) => to.error(new Error("disconnected")) });
  expect(await read(post(broken, { "Content-Length": "5" }), 5)).toEqual(INCOMPLETE);
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
  expect(await read(post(stalled, { "Content-Length": "5" }), 5, { deadline })).toEqual(INCOMPLETE);
});

test("a caller's bodies that stall make room for each other, and for others before any of theirs is dropped", async () => {
  const memory = new BodyMemoryLimit(MIB);
  const stalled = (bytes: number): Request => {
    const start = (to: ReadableByteStreamController) => to.enqueue(new Uint8Array(bytes));
    const body = new ReadableStream({ type: "bytes", start, pull: () => new Promise(() => undefined) });
    return post(body, { "Content-Length": String(MIB) });
  };
  const own = read(stalled(200_000), MIB, { memory, key: "innocent" });
  const held = [1, 2, 3].map(() => read(stalled(400_000), MIB, { memory, key: "holder" }));
  await new Promise((resolve) => setTimeout(resolve, 50));
  const states = await Promise.all([own, ...held].map((each) => Promise.race([each, "waits"])));
  expect(states).toEqual(["waits", [503, expect.stringContaining("fewer large bodies")], "waits", "waits"]);
  expect(await read(post("12345", { "Content-Length": "5" }), 5, { memory, key: "third" })).toBe("12345");
});

test("a refused media type is quoted up to 100 characters", () => {
  expect(wrongMediaType(`text/${"x".repeat(200)}`)).toMatchObject({
    status: 415,
    message: `the \`Content-Type\` requested by the client is not supported: text/${"x".repeat(95)}`,
  });
});
