import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type Product, startProduct } from "../support/product.ts";

let product: Product | undefined;
afterEach(() => product?.stop());

/** The addresses are those of RFC 5737, which nobody has. */
const addresses = Array.from({ length: 70 }, (_, index) => `198.51.100.${index}`);

/** One after the other: many at once may wait longer for the limiter on a busy machine than an isolate waits. */
async function admittedOf(name: string): Promise<number> {
  let admitted = 0;
  for (const address of addresses) {
    const answer = await fetch(`${product?.url}/api/max-supply`, { headers: { [name]: address } });
    await answer.arrayBuffer();
    if (answer.status === 200) admitted += 1;
  }
  return admitted;
}

describe("on an address that others reach", () => {
  test("a caller is its connection: no header that it sends chooses another quota", async () => {
    product = await startProduct({}, { host: "0.0.0.0" });
    expect(await admittedOf("CF-Connecting-IP")).toBe(60);
    // The runtime's own headers: of its geography, and of the connection that it saw.
    const blob = JSON.stringify({ clientIp: "203.0.113.9:1", country: "AQ" });
    const other = await fetch(`${product.url}/api/max-supply`, { headers: { "MF-CF-Blob": blob } });
    expect(other.status).toBe(429);
    expect((await fetch(`${product.url}/cdn-cgi/local/scheduled`)).status).not.toBe(200);
  });

  test("an operator's own header counts, and bodies, streams and HEAD pass as they are", async () => {
    product = await startProduct({ CLIENT_IP_HEADER: "X-Real-IP" }, { host: "::" });
    expect(await admittedOf("X-Real-IP")).toBe(addresses.length);
    const view = JSON.stringify({ function: "0x1::chain_id::get", type_arguments: [], arguments: [] });
    const headers = { "X-Real-IP": "192.0.2.1", "Content-Type": "application/json" };
    const answer = await fetch(`${product.url}/v1/view`, { method: "POST", headers, body: view });
    expect([answer.status, await answer.json()]).toEqual([200, [expect.any(Number)]]);
    const head = await fetch(`${product.url}/api/supply`, { method: "HEAD", headers });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const page = await fetch(`${product.url}/`, { headers });
    expect(await page.text()).toContain("<html");
    // A caller that leaves inside its body harms nobody.
    const socket = connect(Number(new URL(product.url).port), "127.0.0.1");
    socket.write("POST /v1/view HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{}");
    await once(socket, "connect");
    socket.destroy();
    expect((await fetch(`${product.url}/v1`, { headers })).status).toBe(200);
  });

  // Run every night. By day the operator's own header shows that the setting is followed.
  test.runIf(process.env["NIGHTLY"] !== undefined)(
    "the platform's header counts where the operator names it",
    async () => {
      product = await startProduct({ CLIENT_IP_HEADER: "CF-Connecting-IP" }, { host: "0.0.0.0" });
      expect(await admittedOf("CF-Connecting-IP")).toBe(addresses.length);
    },
  );
});
