import { readFileSync } from "node:fs";
import { createGzip, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BareProduct, startBareProduct } from "../support/bare-product.ts";
import { FakeNode } from "../support/fake-node.ts";

const MIB = 1_048_576;

/** Some hundred KiB of gzip that inflate to so many MiB of blanks. */
async function bombOf(mebibytes: number): Promise<Buffer<ArrayBuffer>> {
  const gzip = createGzip({ level: 9 });
  const block = Buffer.alloc(MIB, " ");
  const writing = (async () => {
    for (let left = mebibytes; left > 0; left -= 1) await new Promise((resolve) => gzip.write(block, resolve));
    gzip.end();
  })();
  const chunks: Buffer[] = [];
  for await (const chunk of gzip) chunks.push(chunk);
  await writing;
  return Buffer.concat(chunks);
}

describe("a request's body encoded with gzip", () => {
  let node: FakeNode;
  let edge: BareProduct;
  const memoryOf = (): number => {
    const status = readFileSync(`/proc/${edge.pid()}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
  };
  const post = (path: string, body: Buffer<ArrayBuffer>, headers: Record<string, string>) =>
    fetch(`${edge.url}${path}`, { method: "POST", body, headers: { "Content-Type": "application/json", ...headers } });
  /** The statuses of four requests at once, and by how many MiB the runtime grew meanwhile. */
  const grownBy = async (path: string, body: Buffer<ArrayBuffer>, headers: Record<string, string>) => {
    const before = memoryOf();
    let peak = before;
    const timer = setInterval(() => {
      peak = Math.max(peak, memoryOf());
    }, 5);
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(path, body, headers)));
    for (const answer of answers) await answer.arrayBuffer();
    clearInterval(timer);
    return { statuses: new Set(answers.map(({ status }) => status)), grown: Math.max(peak, memoryOf()) - before };
  };

  beforeAll(async () => {
    node = await FakeNode.start();
    edge = await startBareProduct({ NODE_URLS: node.url, RATE_LIMIT_NODE: "10000/1" });
  });

  afterAll(async () => {
    await edge.remove();
    await node.stop();
  });

  test.each([
    ["/v1/view", 1],
    ["/v1/transactions", 8],
  ])("that is a bomb takes no more memory at %s than as many bytes without gzip and the limit", async (path, limit) => {
    const bomb = await bombOf(400);
    expect(bomb.length).toBeLessThan(MIB / 2);
    const plain = Buffer.alloc(bomb.length, " ");
    await grownBy(path, plain, {});
    const control = await grownBy(path, plain, {});
    const { statuses, grown } = await grownBy(path, bomb, { "Content-Encoding": "gzip" });
    // Four of 8 MiB are more than the bodies under way may have: some make room (503).
    expect([...statuses].filter((status) => status !== 503)).toEqual([413]);
    // Four bodies inflate to 1,600 MiB. A body is held in pieces and once as a whole; the rest is what awaits collection.
    expect(grown).toBeLessThan(control.grown + 4 * 2 * limit + 96);
  });

  test("is refused when it is cut off or none, and read when it is whole", async () => {
    const view = JSON.stringify({ function: "0x1::a::b", type_arguments: [], arguments: ["x".repeat(200_000)] });
    const whole = gzipSync(view);
    const gzip = { "Content-Encoding": "gzip" };
    const cut = await post("/v1/view", whole.subarray(0, whole.length - 9), gzip);
    expect([cut.status, await cut.json()]).toMatchObject([400, { message: expect.stringContaining("corrupt gzip") }]);
    expect((await post("/v1/view", Buffer.from("no gzip"), gzip)).status).toBe(400);
    const before = node.calls("/view");
    await post("/v1/view", whole, gzip);
    expect(node.calls("/view")).toBe(before + 1);
  });
});
