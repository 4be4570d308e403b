import { expect, test } from "vitest";
import { BodyMemoryLimit, declaredLength, readChunksWithin } from "../../../src/http/body.ts";

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
  expect(await readChunksWithin(new Response(new Uint8Array(bytes)), 200_000, never, take)).toBe(isWhole);
  if (isWhole) expect(length).toBe(bytes);
});

test("reading stops when no more is wanted", async () => {
  let chunks = 0;
  const take = () => ++chunks < 2;
  expect(await readChunksWithin(new Response(new Uint8Array(500_000)), 1_000_000, never, take)).toBe(true);
  expect(chunks).toBe(2);
});

test("above its bound the memory drops the oldest body of the owner who holds most", () => {
  const memory = new BodyMemoryLimit(10);
  const dropped: string[] = [];
  const reserve = (name: string, owner: string) => memory.reserve(() => void dropped.push(name), owner);
  const [small, first, second] = [reserve("small", "x"), reserve("first", "y"), reserve("second", "y")];
  small.grow(3);
  first.grow(3);
  second.grow(4);
  expect(dropped).toEqual([]);
  second.grow(1);
  expect(dropped).toEqual(["first"]);
  first.grow(50);
  expect(dropped, "what a dropped body adds is not counted").toEqual(["first"]);
  second.release();
  small.grow(100);
  expect(dropped, "one that alone exceeds the bound is dropped itself").toEqual(["first", "small"]);
});
