import { expect, test } from "vitest";
import { BodyMemory, declaredLength, readChunks } from "../../../src/http/body.ts";

const never = new AbortController().signal;

test.each([
  [{ "Content-Length": "7" }, 7],
  [{ "Content-Length": "7", "Content-Encoding": "gzip" }, null],
  [{ "Content-Length": "-1" }, null],
  [{}, null],
])("the declared length of the body with %j is %s", (headers, expected) => {
  expect(declaredLength(new Response("", { headers: { ...headers } }))).toBe(expected);
});

test.each([
  [0, true],
  [16_384, true],
  [200_000, true],
  [200_001, false],
])("%i bytes of at most 200,000 are passed on whole: %s", async (bytes, isWhole) => {
  let length = 0;
  const take = (chunk: Uint8Array): boolean => {
    length += chunk.byteLength;
    return true;
  };
  expect(await readChunks(new Response(new Uint8Array(bytes)), 200_000, never, take)).toBe(isWhole);
  if (isWhole) expect(length).toBe(bytes);
});

test("reading stops when no more is wanted", async () => {
  let chunks = 0;
  const take = () => ++chunks < 2;
  expect(await readChunks(new Response(new Uint8Array(500_000)), 1_000_000, never, take)).toBe(true);
  expect(chunks).toBe(2);
});

test("above its bound the memory drops the oldest bodies, never the one that grows", () => {
  const memory = new BodyMemory(10);
  const dropped: string[] = [];
  const [a, b, c] = ["a", "b", "c"].map((name) => memory.reserve(() => void dropped.push(name)));
  a?.grow(4);
  b?.grow(4);
  c?.grow(2);
  expect(dropped).toEqual([]);
  c?.grow(3);
  expect(dropped).toEqual(["a"]);
  b?.release();
  c?.grow(100);
  expect(dropped).toEqual(["a"]);
  a?.grow(50);
  memory.reserve(() => void dropped.push("d")).grow(1);
  expect(dropped, "what a dropped body adds is not counted").toEqual(["a", "c"]);
});
