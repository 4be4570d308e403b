import { spawnSync } from "node:child_process";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Product, startProduct } from "../support/product.ts";

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});

afterAll(async () => {
  await product?.stop();
});

/** One request on a connection of its own; its status. */
function status(caller: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(new URL(product.url).port), "127.0.0.1", () =>
      socket.write(
        `GET /api/max-supply HTTP/1.1\r\nHost: edge.test\r\nCF-Connecting-IP: ${caller}\r\nConnection: close\r\n\r\n`,
      ),
    );
    socket.on("data", (chunk: Buffer) => {
      answer += chunk.toString();
      if (!answer.includes("\r\n\r\n")) return;
      socket.destroy();
      resolve(answer.split(" ")[1] ?? "none");
    });
    socket.on("error", reject);
    socket.on("end", () => reject(new Error("no answer")));
  });
}

test.each(["203.0.113.1", "203.0.113.2", "2001:db8::1"])(
  "300 connections at once from %s: exactly 60 are admitted, and nothing falls",
  async (caller) => {
    const answers = await Promise.all(Array.from({ length: 300 }, () => status(caller)));
    expect(answers.filter((each) => each === "200")).toHaveLength(60);
    expect(answers.filter((each) => each === "429")).toHaveLength(240);
  },
);

test("it prints where to look, and no warning", () => {
  expect(product.output()).toContain(`curl ${product.url}/api/circulating-supply`);
  expect(product.output()).not.toMatch(/warn|error/i);
});

test("bad settings of either Worker are all named, and nothing starts", () => {
  const words = ["tools/start.ts", "--var", "LIMITER_SHARDS:0", "--var", "PRUNE_WINDOW:x", "--var", "COLOUR:red"];
  const { status: code, stdout, stderr } = spawnSync("node", words, { encoding: "utf8" });
  expect(code).toBe(1);
  for (const name of ["LIMITER_SHARDS", "PRUNE_WINDOW", "COLOUR"]) expect(stderr).toContain(`start: ${name} `);
  expect(stdout).not.toContain("Ready");
});

test("a port that is taken is said in one line", () => {
  const { port } = new URL(product.url);
  const { status: code, stderr } = spawnSync("node", ["tools/start.ts", "--port", port], { encoding: "utf8" });
  expect(code).toBe(1);
  expect(stderr).toContain(`port ${port}`);
  expect(stderr).not.toContain("    at ");
});
