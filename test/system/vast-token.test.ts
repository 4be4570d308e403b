import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import createClient from "openapi-fetch";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { paths as PublicPaths } from "../../openapi/public.generated.ts";
import { chromiumPath } from "../support/browser.ts";
import { copyCheckout } from "../support/checkout.ts";
import { eventually } from "../support/eventually.ts";
import { EvmChain, TOKEN } from "../support/evm/chain.ts";
import { type HttpEvmNode, startEvmNode } from "../support/evm/http.ts";
import { type Product, startProduct } from "../support/product.ts";
import { examined, runTool } from "../support/run-tool.ts";
import { useBrowser } from "../support/visit.ts";

const ETHER = 10n ** 18n;
const TEAM = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";
const DEAD = "0x000000000000000000000000000000000000dead";
const TOO_LARGE = expect.stringMatching(/more than 9007199254740991.*\?format=plain or \?format=result\.$/);

const wallet = (address: string, label: string) => ({ chain: "native", address, label, holds: "account" });
const file = (symbol: string, changes: object) => ({
  revision: 1,
  published_at: "2025-01-05",
  sources: [{ title: "Tokenomics", url: "https://vast.test/tokenomics" }],
  token: { symbol, name: symbol, decimals: 18 },
  chains: [{ id: "native", family: "evm", chain_id: 1, asset: TOKEN }],
  ...changes,
});

/**
 * Tokens whose whole supply JSON readers would round: minted, held and burned base units that no float holds, and the
 * digits that follow.
 */
const TOKENS = [
  {
    name: "a schedule of 1e18 tokens",
    file: file("VAST", {
      max_supply: "1000000000000000000",
      start: "2025-01-12",
      step_day: 12,
      buckets: [
        {
          id: "team",
          label: "Team",
          category: "team",
          allocation: "300000000000000001",
          genesis: "0",
          phases: [{ kind: "never", amount: "300000000000000001" }],
          addresses: [wallet(TEAM, "Team vault")],
        },
        {
          id: "community",
          label: "Community",
          category: "community",
          allocation: "699999999999999999",
          genesis: "699999999999999999",
          phases: [],
        },
      ],
      wallets: [{ ...wallet(DEAD, "Burned"), category: "burn" }],
    }),
    minted: 10n ** 18n * ETHER - 3n,
    held: 300_000_000_000_000_001n * ETHER + 1n,
    burned: 12_345_678_901_234_567n * ETHER + 7n,
    figures: {
      "max-supply": "1000000000000000000",
      "circulating-supply": "699999999999999999",
      "total-supply": "987654321098765432.99999999999999999",
      "circulating-supply-on-chain": "687654321098765431.999999999999999989",
      "burned-supply": "12345678901234567.000000000000000007",
    },
    isPlanned: true,
  },
  {
    name: "wallets alone of a token of 4.2e17",
    file: file("MEME", {
      max_supply: "420690000000000001",
      wallets: [
        { ...wallet(TEAM, "Treasury"), category: "treasury" },
        { ...wallet(DEAD, "Burned"), category: "burn" },
      ],
    }),
    minted: 420_690_000_000_000_001n * ETHER,
    held: 20_000_000_000_000_003n * ETHER + 5n,
    burned: 691_230_000_000_001n * ETHER + 2n,
    figures: {
      "max-supply": "420690000000000001",
      "circulating-supply": "399998769999999996.999999999999999993",
      "total-supply": "419998769999999999.999999999999999998",
      "circulating-supply-on-chain": "399998769999999996.999999999999999993",
      "burned-supply": "691230000000001.000000000000000002",
    },
    isPlanned: false,
  },
] as const;

/** Digits with separators, as the page writes them. */
const grouped = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, ",");
const shortOf = (exact: string) => `${grouped(wholeOf(exact).slice(0, -12))}.${wholeOf(exact).slice(-12, -10)}T`;
const wholeOf = (exact: string) => exact.split(".")[0] ?? "";

const visit = useBrowser();

describe.each(TOKENS)("$name", ({ file, minted, held, burned, figures, isPlanned }) => {
  let folder: string;
  let out: string;
  let chain: EvmChain;
  let nodes: HttpEvmNode[] = [];
  let product: Product;
  const node = () => nodes[2]?.url ?? expect.fail();

  beforeAll(async () => {
    folder = copyCheckout();
    out = mkdtempSync(join(tmpdir(), "vast-"));
    writeFileSync(join(folder, "schedule", "native.json"), JSON.stringify(file));
    for (const name of ["published.csv", "published.json"]) rmSync(join(folder, "schedule", name), { force: true });
    const holders = new Map([
      [TEAM, held],
      [DEAD, burned],
    ]);
    chain = await EvmChain.begin({ supply: minted, holders, startSeconds: Math.floor(Date.now() / 1_000) });
    await chain.mine();
    nodes = await Promise.all([1, 2, 3].map(() => startEvmNode(chain)));
    const settings = {
      CHAIN_FAMILY: "evm",
      CHAIN_ID: "1",
      NATIVE_ASSET: TOKEN,
      RATES_URL: "none",
      NODE_URLS: nodes
        .slice(0, 2)
        .map(({ url }) => url)
        .join(),
      RATE_LIMIT_DEFAULT: "10000/60",
    };
    product = await startProduct(settings, { cwd: folder });
    await eventually(async () => expect((await get("/api/supply-breakdown")).status).toBe(200));
  });

  afterAll(async () => {
    await product?.stop();
    for (const each of nodes) await each.close();
    for (const each of [folder, out]) rmSync(each, { recursive: true, force: true });
  });

  const get = (path: string) => fetch(product.url + path);
  const textOf = async (path: string) => (await get(path)).text();

  test("its file is valid, is recorded, and is verified against a node to the base unit", async () => {
    for (const words of [["check"], ["publish"]]) {
      const { code, output } = await runTool("schedule", words, {}, folder);
      expect([words, code], output).toEqual([words, 0]);
    }
    const { code, output } = await runTool("schedule", ["verify", "--node", node()], {}, folder);
    expect(code, output).toBe(0);
    for (const figure of ["total-supply", "circulating-supply-on-chain", "burned-supply"] as const)
      expect(output).toContain(figures[figure]);
  });

  test.each(Object.entries(figures))(
    "/api/%s has every digit as text, and is no number that is rounded",
    async (name, exact) => {
      const path = `/api/${name}`;
      const whole = wholeOf(exact);
      if (BigInt(whole) > BigInt(Number.MAX_SAFE_INTEGER)) {
        const refused = await get(path);
        expect([refused.status, await refused.json()]).toEqual([404, { error_code: "not_found", message: TOO_LARGE }]);
      } else expect(await textOf(path)).toBe(whole);
      expect(await textOf(`${path}?format=plain`)).toBe(whole);
      expect(await textOf(`${path}?format=result`)).toBe(`{"result":"${whole}"}`);
      expect(await textOf(`${path}?format=plain&decimals=exact`)).toBe(exact);
      expect(await textOf(`${path}?format=result&decimals=exact`)).toBe(`{"result":"${exact}"}`);
    },
  );

  test("no document has a number that a reader rounds, and each has the exact digits", async () => {
    const paths = isPlanned ? ["supply", "allocations", "unlock-schedule", "unlock-events"] : [];
    for (const name of [...paths, "supply-breakdown", "history", "page", "health"]) {
      const text = await textOf(`/api/${name}`);
      JSON.parse(text);
      const numbers = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').match(/-?\d[\d.eE+-]*/g) ?? [];
      expect([
        name,
        numbers.filter((number) => !Number.isSafeInteger(Number(number)) && !/^\d{1,3}\.\d+$/.test(number)),
      ]).toEqual([name, []]);
    }
    const recorded = await textOf("/api/history.csv");
    for (const name of ["total-supply", "circulating-supply-on-chain"] as const)
      expect(recorded).toContain(`,${name.replaceAll("-", "_")},${figures[name]},`);
    const client = createClient<PublicPaths>({ baseUrl: product.url });
    const { data } = await client.GET("/api/supply-breakdown");
    expect(data?.total_supply.tokens).toBe(figures["total-supply"]);
    expect(BigInt(data?.minted_supply.base_units ?? "0")).toBe(minted);
  });

  test("what the start proposes, and each address that the manual gives to trackers, answers", async () => {
    const proposed = [...product.output().matchAll(/^ +curl '?(http[^'\s]+)/gm)].map(([, url = ""]) => url);
    const manual = `${await textOf("/docs/trackers.md")}\n${await textOf("/docs/index.md")}`;
    const addresses = [...manual.matchAll(/https:\/\/HOST(\/api\/[^\s"`)]+)|http:\/\/[\d.:]+(\/api\/[^\s"`)]+)/g)];
    const urls = addresses.map(([, one, other]) => product.url + (one ?? other));
    expect(proposed.length).toBeGreaterThan(1);
    expect(urls.length).toBeGreaterThan(8);
    for (const url of [...proposed, ...new Set(urls)]) expect([url, (await fetch(url)).status]).toEqual([url, 200]);
  });

  test("the doctor passes", async () => {
    const { code, output } = await examined(() => runTool("doctor", [product.url], {}, folder));
    expect(code, output).toBe(0);
    expect(output).toContain(wholeOf(figures["circulating-supply"]));
  });

  test("the listing kit has the exact digits, and addresses that answer", async () => {
    const kit = join(out, "kit");
    const { code, output } = await runTool(
      "listing",
      ["--node", node(), "--url", product.url, "--out", kit],
      {},
      folder,
    );
    expect(code, output).toBe(0);
    const readme = readFileSync(join(kit, "README.md"), "utf8");
    expect(readme).toContain(`| total | ${figures["total-supply"]} |`);
    expect(readme).toContain(`| circulating on chain | ${figures["circulating-supply-on-chain"]} |`);
    for (const sheet of ["coinmarketcap-annex-c-supply.csv", "coingecko-supply.csv"]) {
      const text = readFileSync(join(kit, sheet), "utf8");
      expect(text).toContain(figures["circulating-supply-on-chain"]);
      const urls = text.match(/http:\S+/g) ?? [];
      expect(urls).toHaveLength(2);
      for (const url of urls) expect([url, (await fetch(url)).status]).toEqual([url, 200]);
    }
  });

  describe.skipIf(chromiumPath === undefined)("in a browser", () => {
    const shown = async (page: Page, selector: string) => (await page.locator(selector).first().textContent()) ?? "";

    test("the page has every digit of its headline, and no link to what is not served", async () => {
      const { page, consoleErrors } = await visit(product.url, {}, undefined, isPlanned);
      await page.locator("#part-total", { hasText: /\d/ }).waitFor();
      // The row of numbers abbreviates what is too wide for it, rounded towards zero.
      expect(await shown(page, "#part-total")).toBe(shortOf(figures["total-supply"]));
      expect(await shown(page, "#part-burned")).toBe(shortOf(figures["burned-supply"]));
      expect(await shown(page, "#headline .digits")).toBe(grouped(wholeOf(figures["circulating-supply"])));
      const links = await page
        .locator("a[href^='/']")
        .evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
      expect(links.length).toBeGreaterThan(8);
      for (const link of new Set(links)) expect([link, (await get(link)).status]).toEqual([link, 200]);
      expect(consoleErrors).toEqual([]);
    });

    test("the embed has every digit", async () => {
      const { page } = await visit(`${product.url}/404`, {}, undefined, false);
      await page.evaluate(`(() => {
        const element = document.createElement("token-supply");
        element.setAttribute("figure", "circulating-on-chain");
        document.body.append(element);
        return import("/embed.js");
      })()`);
      const element = page.locator("token-supply", { hasText: /\d/ });
      expect(await element.textContent()).toContain(grouped(wholeOf(figures["circulating-supply-on-chain"])));
      expect(await element.evaluate((one) => one.outerHTML)).toContain(figures["circulating-supply-on-chain"]);
    });

    test("/verify finds a node of the reader's equal to the base unit", async () => {
      const { page } = await visit(`${product.url}/verify`, {}, undefined, false);
      await page.locator("#node").fill(node());
      await page.getByRole("button", { name: "Check with this node" }).click();
      await page.locator("#node-form button:not([disabled])").waitFor();
      expect(await shown(page, "#chain-verdict")).toMatch(/^Equal to the base unit: at block 101 /);
      const [whole = "", decimals = ""] = figures["circulating-supply-on-chain"].split(".");
      expect(await shown(page, "#comparison tr.sum td")).toBe(`= ${grouped(whole)}.${decimals}`);
    });
  });
});
