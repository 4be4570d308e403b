import { createHash } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, NO_CHROMIUM } from "../support/browser.ts";
import { closing, listening } from "../support/listening.ts";
import { product } from "../support/shared-product.ts";
import { expectLayout, picture, resizeTo, useBrowser, violations } from "../support/visit.ts";

const visit = useBrowser();
let proxy: Server;
let proxyUrl: string;
let asked: string[] = [];
/** Target of the node's redirect. */
let redirectTo = "";

/** Change of a response by a node in front of the product's own chain. */
type Node = (answer: { path: string; status: number; text: string }, response: ServerResponse) => void;

const CORS = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "content-type" };
const send = (response: ServerResponse, status: number, text: string, headers: Record<string, string> = CORS): void => {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(text);
};
const honest: Node = ({ status, text }, response) => send(response, status, text);

const NODES: Readonly<Record<string, Node>> = {
  honest,
  // One base unit too much is minted.
  lying: ({ path, status, text }, response) =>
    send(
      response,
      status,
      path.includes("/view") && text.startsWith('[{"vec"')
        ? text.replace(/"(\d+)"/, (_, digits: string) => `"${BigInt(digits) + 1n}"`)
        : text,
    ),
  silent: ({ status, text }, response) =>
    send(response, ...(text.startsWith('["') ? ([400, '{"message":"no"}'] as const) : ([status, text] as const))),
  behind: ({ status, text }, response) =>
    send(response, status, JSON.stringify({ ...(JSON.parse(text) as object), ledger_version: "1" })),
  balanced: ({ path, status, text }, response) =>
    path.includes("/view") ? send(response, 404, '{"message":"no such version"}') : send(response, status, text),
  pruned: ({ status, text }, response) =>
    send(
      response,
      status,
      JSON.stringify({ ...(JSON.parse(text) as object), ledger_version: "999", oldest_ledger_version: "900" }),
    ),
  "no-cors": ({ status, text }, response) => send(response, status, text, {}),
  hanging: () => undefined,
  redirecting: (_, response) => response.writeHead(302, { ...CORS, Location: redirectTo }).end(),
  html: (_, response) => send(response, 200, "<html><script>alert(1)</script>", CORS),
  hostile: ({ status }, response) =>
    send(
      response,
      status,
      JSON.stringify({ chain_id: "<img src=x onerror=alert(1)>", ledger_version: "9".repeat(99) }),
    ),
  endless: (_, response) => send(response, 200, `"${"x".repeat(200_000)}"`),
};

const addressOf = (name: string): string => `${proxyUrl}/${name}/v1`;

const open = () => visit(`${product.url}/verify`, { viewport: { width: 390, height: 844 } });

async function check(page: Page, address: string): Promise<string> {
  await page.locator("#node").fill(address);
  await page.getByRole("button", { name: "Check with this node" }).click();
  await page.locator("#node-form button:not([disabled])").waitFor();
  return (await page.locator("#chain-verdict").textContent()) ?? "";
}

describe.skipIf(chromiumPath === undefined)(`/verify (${chromiumPath ?? NO_CHROMIUM})`, () => {
  beforeAll(async () => {
    proxy = createServer(async (request, response) => {
      const [, name = "", path = ""] = /^\/([\w-]+)\/v1(.*)$/.exec(request.url ?? "") ?? [];
      const node = NODES[name] ?? honest;
      if (request.method === "OPTIONS") {
        response.writeHead(204, name === "no-cors" ? {} : CORS);
        response.end();
        return;
      }
      asked.push(`${request.method} ${path}`);
      const body = await text(request);
      const init = body === "" ? {} : { method: "POST", body, headers: { "Content-Type": "application/json" } };
      const answer = await fetch(`${product.url}/v1${path}`, init);
      node({ path, status: answer.status, text: await answer.text() }, response);
    });
    proxyUrl = await listening(proxy);
  });

  afterEach(() => {
    asked = [];
  });

  afterAll(() => closing(proxy));

  test("an honest node: every line is read at one version, in one call, and equal", async () => {
    const { page, requests, consoleErrors } = await open();
    const own = () =>
      requests.filter((url) => url.startsWith(product.url) && /\/(api|schedule|v1)/.test(new URL(url).pathname));
    expect([own(), asked], "nothing before the tap").toEqual([[], []]);
    const said = await check(page, addressOf("honest"));
    expect(said).toMatch(
      /^Equal to the base unit: at ledger version \d+ this node and this service say the same on all 10 lines\.$/,
    );
    const [, version] = /version (\d+)/.exec(said) ?? [];
    expect(
      own()
        .map((url) => new URL(url).pathname)
        .sort(),
    ).toEqual(["/api/supply-breakdown", "/schedule/native.json"]);
    const breakdown = (await (await fetch(`${product.url}/api/supply-breakdown`)).json()) as {
      non_circulating_wallets: { holds: string }[];
      circulating_supply_on_chain: { tokens: string };
    };
    expect(
      asked.filter((call) => call.startsWith("POST")).every((call) => call.endsWith(`?ledger_version=${version}`)),
    ).toBe(true);
    // Calls of one check: the chain's identity, the supply, and one per holding; a contract's stake pool takes one
    // more.
    const more = { vesting: 1, staking_contract: 2 } as Readonly<Record<string, number>>;
    const holdings = breakdown.non_circulating_wallets.reduce((sum, { holds }) => sum + 1 + (more[holds] ?? 0), 0);
    expect(asked).toHaveLength(2 + holdings);
    const left = page.locator("#comparison tr.sum td").first();
    expect((await left.textContent())?.replaceAll(/[=, ]|0+$/g, "")).toBe(breakdown.circulating_supply_on_chain.tokens);
    expect(await page.locator("#comparison .equal").count()).toBe(10);
    // Each line's commands give what was read.
    await page.getByText("The command of each line").click();
    const curl = (await page.locator("#chain-result pre").first().textContent()) ?? "";
    const [, url = "", body = ""] = /^curl -sSf "([^"]+)" .* -d '(.+)'$/.exec(curl) ?? [];
    const answer = await fetch(url, { method: "POST", body, headers: { "Content-Type": "application/json" } });
    expect(await answer.json()).toEqual([{ vec: [expect.stringMatching(/^\d+$/)] }]);
    expect(await page.locator("#chain-result pre").count()).toBe(9);
    expect(consoleErrors).toEqual([]);
    expect(await violations(page)).toEqual([]);
    for (const width of [320, 390, 768, 1280]) {
      await resizeTo(page, width);
      await expectLayout(page, `${width} px`);
      await picture(page, `verify-${width}`);
    }
  });

  test.each([
    ["lying", /^Not equal: at ledger version \d+ this node says [\d,.]+1 for Minted, this service [\d,.]+0\.$/],
    ["silent", /^This node could not say everything: /],
    [
      "behind",
      /^This node has reached ledger version \d+, and this service answers for version \d+: check again in a moment\.$/,
    ],
    ["balanced", /^No figure: the chain node has not reached \d+\. Check again in a moment, or choose another node\.$/],
    ["pruned", /^This node no longer has ledger version \d+, its oldest is 900: choose another node\.$/],
    ["no-cors", /^This node answers, but not to web pages \(no CORS\)/],
    ["hanging", /^This node did not answer within 10 seconds/],
    ["html", /^What answers at this address is no chain node/],
    ["hostile", /^What answers at this address is no chain node/],
    ["endless", /^What answers at this address is no chain node/],
  ])("a node that is %s: one true sentence, and the commands are there", async (name, sentence) => {
    const { page } = await open();
    expect(await check(page, addressOf(name))).toMatch(sentence);
    expect(asked.length, "the node was asked").toBeGreaterThan(0);
    expect(await page.locator("#chain-result pre").count()).toBe(9);
    expect(await page.locator("img[src=x]").count()).toBe(0);
    await expectLayout(page);
    await picture(page, `verify-${name}`);
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    const size = "[...document.querySelectorAll('#comparison td')].map((one) => getComputedStyle(one).fontSize)";
    for (const one of (await page.evaluate(size)) as string[]) expect(one, "text of twice the size").toBe("28px");
  });

  test("the page connects to the chosen node only; another one is asked after a reload, also without storage", async () => {
    const { page } = await visit(`${product.url}/verify`, {}, (fresh) =>
      fresh.addInitScript(
        `for (const name of ["sessionStorage", "localStorage"])
          Object.defineProperty(globalThis, name, { get: () => { throw new DOMException("blocked", "SecurityError"); } });`,
      ),
    );
    const other = `http://localhost:${new URL(addressOf("")).port}/honest/v1`;
    expect(await check(page, addressOf("honest"))).toMatch(/^Equal/);
    const reach = (url: string) =>
      page.evaluate(`fetch(${JSON.stringify(url)}).then(() => "reached", () => "refused")`);
    expect(await reach(other)).toBe("refused");
    expect(await reach(addressOf("honest"))).toBe("reached");
    await page.locator("#node").fill(other);
    await page.getByRole("button", { name: "Check with this node" }).click();
    await page.locator("#chain-verdict", { hasText: /^Equal/ }).waitFor();
    expect(await page.locator("#node").inputValue()).toBe(other);
    expect(await reach(addressOf("honest"))).toBe("refused");
    // A verdict is about what was asked: it is gone before the next one, whatever becomes of that.
    for (const [address, sentence] of [
      ["", /^Give the address of a node/],
      [`${product.url}/v1`, /own gateway/],
    ] as const) {
      expect(await check(page, other)).toMatch(/^Equal/);
      await page.locator("#node").fill(address);
      await page.getByRole("button", { name: "Check with this node" }).click();
      expect(await page.locator("#chain-verdict").textContent()).toMatch(sentence);
      expect(await page.locator("#chain-result").textContent()).toBe("");
    }
  });

  test("a node that redirects cannot be reached, and leads the reader's browser nowhere, not to this service", async () => {
    const reached: string[] = [];
    const host = createServer(async (request, response) => {
      reached.push(request.url ?? "");
      const { status, headers, body } = await fetch(product.url + request.url);
      response.writeHead(status, { "Content-Type": headers.get("Content-Type") ?? "" });
      response.end(Buffer.from(await new Response(body).arrayBuffer()));
    });
    const address = await listening(host);
    redirectTo = `${address}/api/max-supply?reader-asked`;
    const { page } = await visit(`${address}/verify`, {}, undefined, false);
    expect(await check(page, addressOf("redirecting"))).toMatch(/^This node cannot be reached from here/);
    expect(asked.length, "it was asked twice").toBe(2);
    expect(reached.filter((url) => url.includes("reader-asked"))).toEqual([]);
    // This service is asked again by the page loaded again.
    await page.getByRole("button", { name: "Compute it again" }).click();
    await page.locator("#plan-verdict", { hasText: /^Equal/ }).waitFor();
    expect(await page.locator("#node").inputValue()).toBe(addressOf("redirecting"));
    expect(await check(page, addressOf("honest"))).toMatch(/^Equal/);
    await page.context().close();
    await closing(host);
  });

  test("a reader's clock behind the build changes no figure of today", async () => {
    const { page } = await visit(`${product.url}/verify`, {}, (fresh) =>
      fresh.clock.install({ time: Date.now() - 2_000 * 86_400_000 }),
    );
    const answer = await fetch(`${product.url}/api/circulating-supply?decimals=exact`);
    expect(answer.headers.get("Date"), "the bare runtime sends none").toBeNull();
    const [whole = "", fraction = ""] = (await answer.text()).split(".");
    await page.getByRole("button", { name: "Compute it again" }).click();
    const verdict = page.locator("#plan-verdict", { hasText: /^Equal/ });
    await expect.poll(() => verdict.textContent()).toContain(`${Number(whole).toLocaleString("en")}.${fraction}`);
  });

  test("this service's own answer without its version: a sentence says that it cannot be compared", async () => {
    const { page } = await open();
    const body = (await (await fetch(`${product.url}/api/supply-breakdown`)).json()) as { readonly chains: object[] };
    const chains = body.chains.map((chain) => ({ ...chain, ledger_version: undefined }));
    await page.route("**/api/supply-breakdown", (route) =>
      route.fulfill({ json: { ...body, ledger_version: undefined, chains } }),
    );
    expect(await check(page, addressOf("honest"))).toBe("What was read cannot be compared: try again in a minute.");
  });

  test("an address that is none is refused before any request", async () => {
    const { page, requests } = await open();
    for (const address of [
      "",
      "node",
      "ftp://node.example.org/v1",
      "http://node.example.org/v1",
      "https://a:b@node.example.org",
      "https://x/$(id)/v1",
      "x.example/$(id)/v1",
      "a:b@node.example.org",
      "ftp:node.example.org",
    ]) {
      await page.locator("#node").fill(address);
      await page.getByRole("button", { name: "Check with this node" }).click();
      expect(await page.locator("#chain-verdict").textContent()).toMatch(/^Give the address of a node/);
    }
    expect(requests.filter((url) => !/\/verify$|\/assets\/|\/favicon\.svg$/.test(url))).toEqual([]);
  });

  test("this service's own gateway is no witness, and is not asked", async () => {
    const { page, requests } = await open();
    for (const address of [`${product.url}/v1`, product.url, new URL(product.url).host]) {
      await page.locator("#node").fill(address);
      await page.getByRole("button", { name: "Check with this node" }).click();
      expect(await page.locator("#chain-verdict").textContent(), address).toBe(
        "This is this service’s own gateway, which cannot be its witness: choose another node.",
      );
      await page.locator("#node").fill("");
      await page.getByRole("button", { name: "Check with this node" }).click();
    }
    expect(requests.filter((url) => /\/(v1|api)/.test(new URL(url).pathname))).toEqual([]);
  });

  test("under a name of its own that the page does not know, this service is no witness either", async () => {
    // A custom domain: all requests reach this service, and all headers come back.
    const domain = createServer(async (request, response) => {
      const body = await text(request);
      const { host: _host, connection: _connection, ...sent } = request.headers as Record<string, string>;
      const init = body === "" ? {} : { body };
      const answer = await fetch(product.url + request.url, {
        method: request.method ?? "GET",
        headers: sent,
        ...init,
      });
      const fields = [...answer.headers].filter(([name]) => !/^(content-encoding|content-length|transfer-)/.test(name));
      response.writeHead(answer.status, Object.fromEntries(fields)).end(Buffer.from(await answer.arrayBuffer()));
    });
    const names = [product.url.replace("127.0.0.1", "localhost"), await listening(domain)];
    const { page } = await open();
    for (const name of names) {
      expect(new URL(name).origin, "the name is another one").not.toBe(new URL(product.url).origin);
      await page.locator("#node").fill(`${name}/v1`);
      await page.getByRole("button", { name: "Check with this node" }).click();
      const { host } = new URL(name);
      await page
        .locator("#chain-verdict[data-state=short]", {
          hasText: `${host} answers as this service’s own gateway does, so it cannot be its witness: choose another node.`,
        })
        .waitFor();
      expect(await page.locator("#chain-result").textContent()).toBe("");
    }
    await closing(domain);
  });

  test("an address without its scheme is asked all the same", async () => {
    const { page } = await open();
    expect(await check(page, addressOf("honest").replace("http://", ""))).toMatch(/^Equal to the base unit/);
  });

  test("on a phone each line says at the same place whether it is equal", async () => {
    const { page } = await open();
    await check(page, addressOf("honest"));
    const left = "[...document.querySelectorAll('#comparison .equal')].map((one) => one.getBoundingClientRect().right)";
    const edges = (await page.evaluate(left)) as number[];
    expect(edges).toHaveLength(10);
    expect(Math.max(...edges) - Math.min(...edges)).toBeLessThan(1);
  });

  test("the schedule is computed again from the published file, whose hash is the API's and the page's", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Compute it again" }).click();
    const verdict = page.locator("#plan-verdict", { hasText: /^(Equal|Not)/ });
    await verdict.waitFor();
    expect(await verdict.textContent()).toMatch(
      /^Equal to the base unit: the file gives [\d,.]+ APT today, as this service answers, and the same in all 121 steps\.$/,
    );
    const file = Buffer.from(await (await fetch(`${product.url}/schedule/native.json`)).arrayBuffer());
    const sha256 = createHash("sha256").update(file).digest("hex");
    const { file: named, sources } = (await (await fetch(`${product.url}/api/unlock-schedule`)).json()) as {
      file: { path: string; sha256: string };
      sources: { title: string }[];
    };
    expect(named).toEqual({ path: "/schedule/native.json", sha256 });
    expect(await page.locator(".hash").allTextContents()).toEqual([sha256, sha256, sha256]);
    expect(await page.locator("#plan-result").textContent()).toContain(sources[0]?.title);
    await page.route("**/api/unlock-schedule", (route) => route.abort());
    await page.getByRole("button", { name: "Compute it again" }).click();
    await page.locator("#plan-verdict", { hasText: "cannot be read now" }).waitFor();
    expect(await page.locator("#plan-result").textContent(), "what was said before is gone").toBe("");
    await page.goto(product.url);
    expect(await page.locator("#provenance .hash").textContent()).toBe(sha256);
  });

  test("today is the service's: a reader's clock that is wrong by months changes nothing", async () => {
    const { page } = await visit(`${product.url}/verify`, {}, async (fresh) => {
      await fresh.clock.install({ time: Date.now() + 100 * 86_400_000 });
      await fresh.route("**/api/unlock-schedule", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, headers: { ...response.headers(), date: new Date().toUTCString() } });
      });
    });
    await page.getByRole("button", { name: "Compute it again" }).click();
    const verdict = page.locator("#plan-verdict", { hasText: /^Equal/ });
    const circulating = await (await fetch(`${product.url}/api/circulating-supply`)).text();
    expect((await verdict.textContent())?.replaceAll(",", "")).toContain(`the file gives ${circulating}.`);
  });

  test.each([
    [
      "a file with another amount",
      (text: string) => text.replace(/"revision":\s*1/, '"revision": 1,"sample": false'),
      /another one than this service names/,
    ],
    [
      "figures that differ",
      (text: string) => text.replace(/"first_month": 1,/, '"first_month": 2,'),
      /the figures differ from \d+ \w+ \d{4} on/,
    ],
  ])("%s: not equal", async (_, change, reason) => {
    const { page } = await open();
    const text = await (await fetch(`${product.url}/schedule/native.json`)).text();
    expect(change(text), "the file was changed").not.toBe(text);
    await page.route("**/schedule/native.json", (route) => route.fulfill({ body: change(text) }));
    await page.getByRole("button", { name: "Compute it again" }).click();
    await page.locator("#plan-verdict", { hasText: reason }).waitFor();
  });
});
