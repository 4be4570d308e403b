import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BareProduct, startBareProduct } from "../support/bare-product.ts";
import { SLOW } from "../support/runtime.ts";

let product: BareProduct;

beforeAll(async () => {
  product = await startBareProduct({}, SLOW);
});
afterAll(() => product?.remove());

/** The status of one request on a new connection. */
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
  "300 concurrent connections from %s: exactly 60 are admitted, and none fails",
  async (caller) => {
    const answers = await Promise.all(Array.from({ length: 300 }, () => status(caller)));
    expect(answers.filter((each) => each === "200")).toHaveLength(60);
    expect(answers.filter((each) => each === "429")).toHaveLength(240);
  },
);
