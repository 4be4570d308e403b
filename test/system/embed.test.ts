import { createServer, type Server } from "node:http";
import { gzipSync } from "node:zlib";
import type { FrameLocator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contrast } from "../../page/build/color.ts";
import { chromiumPath, NO_CHROMIUM } from "../support/browser.ts";
import { listening } from "../support/listening.ts";
import { answerMembers } from "../support/page-states.ts";
import { product } from "../support/shared-product.ts";
import { hex, hide, picture, resizeTo, useBrowser, violations } from "../support/visit.ts";

const MAX_SCRIPT_BYTES = 3 * 1_024;
const MAX_CHART_BYTES = 7.5 * 1_024;

const visit = useBrowser();
let host: Server;
/** The operator's homepage: another origin, with a policy that allows the API and nothing else. */
let homepage: string;
/** Its body. */
let content = "";

const script = (): string => `<script type="module" src="${product.url}/embed.js"></script>`;

async function open(
  body: string,
  prepare?: (page: Page) => Promise<unknown>,
): Promise<Page & { readonly warnings: string[] }> {
  content = `<!doctype html><html lang="en"><title>Homepage</title><main><h1>Homepage</h1>${body}</main>${script()}</html>`;
  const warnings: string[] = [];
  const { page } = await visit(homepage, {}, async (fresh) => {
    fresh.on("console", (message) => warnings.push(message.text()));
    await prepare?.(fresh);
  });
  return Object.assign(page, { warnings });
}

/** Header with which pages of other origins may read a response. */
const ANY_ORIGIN = { "Access-Control-Allow-Origin": "*" };

/** The fields of a 429, which a page of another origin reads too. */
const patience = (seconds: number) => ({
  ...ANY_ORIGIN,
  "Access-Control-Expose-Headers": "Retry-After",
  "Retry-After": String(seconds),
});

/** Makes the API give this answer from now on. */
const answering =
  (answer: object, path = "**/api/**") =>
  (page: Page): Promise<unknown> =>
    page.route(path, (route) => route.fulfill({ headers: ANY_ORIGIN, ...answer }));

const textOf = (page: Page, selector: string): Promise<string | null> => page.locator(selector).textContent();

describe.skipIf(chromiumPath === undefined)(`embeds on another origin (${chromiumPath ?? NO_CHROMIUM})`, () => {
  beforeAll(async () => {
    host = createServer((_request, response) => {
      const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src ${product.url}; connect-src ${product.url}; frame-src ${product.url}; img-src ${product.url}`;
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy });
      response.end(content);
    });
    homepage = await listening(host);
  });

  afterAll(() => host?.close());

  test("figures and rates equal the API's, under a strict policy", async () => {
    const page = await open(
      `<token-supply figure="circulating">–</token-supply><token-supply id="c" figure="max" format="compact">–</token-supply><token-apy product="native-staking">–</token-apy>`,
    );
    await page.waitForSelector("token-supply[title]");
    await page.waitForSelector("token-apy[title]");
    const circulating = await (await fetch(`${product.url}/api/circulating-supply`)).text();
    expect((await textOf(page, "token-supply[figure=circulating]"))?.replaceAll(",", "")).toBe(circulating);
    expect(await textOf(page, "#c")).toBe("1B");
    const { data } = (await (await fetch(`${product.url}/api/rates`)).json()) as {
      data: { id: string; apy: number }[];
    };
    const apy = data.find(({ id }) => id === "native-staking")?.apy;
    expect(await textOf(page, "token-apy")).toBe(`${apy?.toFixed(5).slice(0, -3)}%`);
    const badge = (await (await fetch(`${product.url}/api/badge/apy:native-staking.json`)).json()) as {
      message: string;
    };
    expect(badge.message, "the badge says the same").toBe(await textOf(page, "token-apy"));
    expect(page.warnings).toEqual([]);
    expect(await violations(page)).toEqual([]);
  });

  test("on a page whose tracing library adds headers to every request, figures are shown", async () => {
    const traced = `window.fetch = ((send) => (url, init = {}) => {
      const headers = new Headers(init.headers);
      for (const name of ["traceparent", "baggage"]) headers.set(name, "00-1-1-01");
      return send(url, { ...init, headers });
    })(window.fetch)`;
    const sent: (string | null)[] = [];
    const page = await open(`<token-supply figure="max">–</token-supply>`, async (fresh) => {
      await fresh.addInitScript(traced);
      await fresh.route("**/api/page", async (route, request) => {
        sent.push(await request.headerValue("traceparent"));
        await route.continue();
      });
    });
    await page.waitForSelector("token-supply[title]");
    expect(sent).toEqual(["00-1-1-01"]);
    expect(page.warnings).toEqual([]);
  });

  test("an APY is the 30-day mean where there is one, with the present rate beside it", async () => {
    const body = (await (await fetch(`${product.url}/api/rates`)).json()) as { data: object[] };
    const means = { apy: 7.25, apy_mean_30d: 6.5, apy_mean_7d: null };
    const listing = { ...body, data: body.data.map((row) => ({ ...row, ...means })) };
    const elements = ["", 'basis="spot"', 'basis="7d"', 'basis="1y"'];
    const page = await open(
      elements.map((basis) => `<token-apy product="native-staking" ${basis}>–</token-apy>`).join(""),
      (fresh) => answerMembers(fresh, { rates: listing }),
    );
    await page.waitForSelector("token-apy[title]");
    const shown = await page.locator("token-apy").evaluateAll((all) => all.map((one) => [one.textContent, one.title]));
    expect(shown).toEqual([
      ["6.50%", "Native staking, APY, 30-day mean, now 7.25%"],
      ["7.25%", "Native staking, APY"],
      ["7.25%", "Native staking, APY"],
      ["–", ""],
    ]);
  });

  test("an unknown figure or product keeps its fallback, and the console reports it", async () => {
    const page = await open(
      `<token-supply figure="lost">see site</token-supply><token-apy product="unknown">soon</token-apy>`,
    );
    await page.waitForSelector("token-supply[failed]");
    await page.waitForSelector("token-apy[failed]");
    expect([await textOf(page, "token-supply"), await textOf(page, "token-apy")]).toEqual(["see site", "soon"]);
    expect(page.warnings.join("\n")).toContain('<token-supply figure="lost">: supply has no such value');
    expect(page.warnings.join("\n")).toContain('<token-apy product="unknown">: rates has no such value');
  });

  test.each<[string, (page: Page) => Promise<unknown>]>([
    ["no response", (page) => page.route("**/api/**", (route) => route.abort())],
    ["the API fails", answering({ status: 503, body: "{}" })],
    ["the response is not JSON", answering({ body: "<html>0</html>" })],
  ])("%s: the fallback stays, never a number", async (_, prepare) => {
    const page = await open(
      `<token-supply>–</token-supply><token-apy>–</token-apy><unlock-chart>no chart</unlock-chart>`,
      prepare,
    );
    for (const name of ["token-supply", "token-apy"]) {
      await page.waitForSelector(`${name}[failed]`, { state: "attached" });
      expect(await textOf(page, name)).not.toMatch(/\d/);
    }
    // The schedule comes with the script: the chart needs no request.
    await page.locator("unlock-chart .slider").waitFor();
  });

  test("a figure that the deployment does not have is asked for once, and the console reports why", async () => {
    let asked = 0;
    const page = await open(`<token-apy>see site</token-apy>`, async (fresh) => {
      await fresh.clock.install();
      await fresh.route("**/api/page", (route) => {
        asked += 1;
        const json = { as_of: null, supply: null, rates: null, unavailable: { supply: {} } };
        return route.fulfill({ json, headers: ANY_ORIGIN });
      });
    });
    await page.waitForSelector("token-apy[failed]");
    await page.clock.runFor(10 * 60_000);
    expect([await textOf(page, "token-apy"), asked]).toEqual(["see site", 1]);
    expect(page.warnings.join("\n")).toContain("/api/page: this deployment has no rates");
  });

  test("the chart's script cannot be loaded: the fallback stays, and the console reports it", async () => {
    const page = await open("<unlock-chart>no chart</unlock-chart>", (fresh) =>
      fresh.route("**/assets/unlock-chart*", (route) => route.abort()),
    );
    await page.waitForSelector("unlock-chart[failed]");
    expect(await page.locator("unlock-chart").textContent()).toBe("no chart");
    expect(page.warnings.join()).toContain("<unlock-chart>: its script cannot be loaded");
  });

  test.each<[string, (page: Page) => Promise<unknown>]>([
    ["hangs", (page) => page.route("**/api/**", () => undefined)],
    ["fails", answering({ status: 503, body: "{}" })],
    ["asks for a day's patience", answering({ status: 429, body: "{}", headers: patience(86_400) })],
    ["answers null", answering({ body: "null" })],
    ["answers an amount that is none", answering({ body: '{"supply":{"circulating":{"tokens":"1e9"}}}' })],
    ["answers an empty object", answering({ body: "{}" })],
  ])("while the API %s, a value grows stale and is removed after an hour", async (_what, fail) => {
    const page = await open(`<token-supply>–</token-supply>`, (fresh) => fresh.clock.install());
    await page.waitForSelector("token-supply[title]");
    await fail(page);
    const stateAfter = async (minutes: number) => {
      // In pieces, between which a response may arrive.
      for (let minute = 0; minute < minutes; minute += 1) await page.clock.runFor(60_000);
      return page.locator("token-supply").evaluate(({ attributes, textContent }) => {
        const states = ["stale", "failed"].filter((name) => attributes.getNamedItem(name) !== null);
        return [...states, /\d/.test(textContent ?? "") ? "number" : textContent];
      });
    };
    expect(await stateAfter(7)).toEqual(["stale", "number"]);
    expect(await stateAfter(60)).toEqual(["failed", "–"]);
  });

  test("twenty elements send one request a minute, none in a hidden tab or before Retry-After", async () => {
    let requests = 0;
    let failing = false;
    const page = await open(`<token-supply>–</token-supply>`.repeat(20), async (fresh) => {
      await fresh.clock.install();
      await fresh.route("**/api/page", async (route) => {
        requests += 1;
        const headers = patience(300);
        if (failing) return route.fulfill({ status: 429, body: "{}", headers });
        return route.fulfill({
          body: JSON.stringify({ as_of: null, supply: { circulating: { tokens: "5.5" } } }),
          headers,
        });
      });
    });
    await page.waitForSelector("token-supply[title]");
    expect(requests).toBe(1);
    const renewed = page.waitForResponse("**/api/page");
    await page.clock.runFor(76_000);
    await (await renewed).finished();
    expect(requests).toBe(2);
    await hide(page, true);
    await page.clock.runFor(600_000);
    expect(requests).toBe(2);
    failing = true;
    await hide(page, false);
    await page.clock.runFor(1_000);
    // The value has grown old meanwhile, which the elements learn with the answer: before it none has said how long.
    await page.locator("token-supply[stale]").last().waitFor();
    expect(requests).toBe(3);
    // Three ordinary intervals, and room for the time that its clock also runs on a slow machine.
    await page.clock.runFor(200_000);
    expect(requests).toBe(3);
    // The page may have received the 429 only while its clock ran: its 300 s began then.
    const afterTenSeconds = async () => {
      await page.clock.runFor(10_000);
      return requests;
    };
    await expect.poll(afterTenSeconds).toBe(4);
  });

  test("the chart is drawn, and read out by keyboard", async () => {
    const page = await open(`<unlock-chart mode="monthly" unit="percent">no chart</unlock-chart>`);
    const slider = page.locator("unlock-chart [role=slider]");
    await slider.waitFor();
    expect(await page.locator("unlock-chart .unit").textContent()).toBe("%");
    expect(await page.locator("unlock-chart svg path").count()).toBeGreaterThan(4);
    const before = await slider.getAttribute("aria-valuenow");
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    expect(Number(await slider.getAttribute("aria-valuenow"))).toBe(Number(before) + 1);
    await page.keyboard.press("End");
    expect(await slider.getAttribute("aria-valuenow")).toBe(await slider.getAttribute("aria-valuemax"));
    // A new width is a new drawing: the reader stays on the step.
    await resizeTo(page, 700, 600);
    const width = "document.querySelector('unlock-chart').shadowRoot.querySelector('svg').clientWidth";
    await expect.poll(() => page.evaluate(width)).toBeLessThan(700);
    expect(await slider.getAttribute("aria-valuenow")).toBe(await slider.getAttribute("aria-valuemax"));
    expect(await page.locator("unlock-chart .total").textContent()).toBe("On 12 Oct 2032+4.54M0.45%");
    expect(page.warnings).toEqual([]);
    expect(await violations(page)).toEqual([]);
  });

  test("an element that is inserted after the script ran is upgraded", async () => {
    const page = await open("<p>later</p>");
    await expect.poll(() => page.evaluate("customElements.get('unlock-chart') !== undefined")).toBe(true);
    await page.evaluate("document.querySelector('main').append(document.createElement('unlock-chart'))");
    // The drawing follows its frame, whose size it needs.
    await expect.poll(() => page.locator("unlock-chart .band").count()).toBeGreaterThan(4);
  });

  test.each([160, 180, 220, 279, 300])(
    "in a column of %i px nothing leaves the chart, nor is it cut",
    async (width) => {
      const page = await open(`<div style="width:${width}px"><unlock-chart></unlock-chart></div>`);
      const chart = page.locator("unlock-chart");
      await chart.locator("[role=slider]").focus();
      await page.keyboard.press("ArrowRight");
      await chart.locator(".cursor rect").waitFor();
      const outside = `(() => {
      const host = document.querySelector("unlock-chart");
      const { left, right, width } = host.getBoundingClientRect();
      const parts = [...host.shadowRoot.querySelectorAll("svg text, svg rect, li > *, .key > *, .source a")];
      const out = parts.filter((part) => {
        const box = part.getBoundingClientRect();
        return box.width > 0 && (box.left < left - 1 || box.right > right + 1);
      });
      return [width, parts.length > 30, out.map((part) => part.outerHTML)];
    })()`;
      await expect.poll(() => page.evaluate(outside)).toEqual([width, true, []]);
      const lines = await chart
        .locator("li > :first-child")
        .evaluateAll((all) =>
          (all as unknown as { getBoundingClientRect(): { bottom: number }; nextElementSibling: Boxed }[]).map(
            (name) => [name.getBoundingClientRect().bottom, name.nextElementSibling.getBoundingClientRect().top],
          ),
        );
      for (const [bottom = 0, top = 0] of lines)
        expect(top >= bottom - 1, "the amount is below its name").toBe(width < 280);
      await picture(page, `embed-column-${width}`);
    },
  );

  test("each embed carries who publishes it, the day and a link; source=none removes them", async () => {
    const elements = [
      "<token-supply>–</token-supply>",
      '<token-apy product="native-staking">–</token-apy>',
      "<unlock-chart></unlock-chart>",
    ];
    const page = await open(elements.flatMap((one) => [one, one.replace(/^<[\w-]+/, '$& source="none"')]).join(" "));
    await page.waitForSelector("token-supply[title]");
    await page.waitForSelector("token-apy[title]");
    await page.locator("unlock-chart .band").first().waitFor();
    const { as_of: asOf } = (await (await fetch(`${product.url}/api/page`)).json()) as { as_of: string };
    const day = new Date(asOf).toLocaleDateString("en-GB", {
      day: "numeric",
      month: "short",
      year: "numeric",
      timeZone: "UTC",
    });
    for (const name of ["token-supply", "token-apy", "unlock-chart"]) {
      const source = page.locator(`${name}:not([source]) a`);
      expect(await source.textContent()).toMatch(new RegExp(`^Aptos supply, ${day.replace("Sept", "Sep")}$`));
      expect(await source.getAttribute("href")).toBe(`${product.url}/`);
      expect(await source.isVisible()).toBe(true);
      expect(await page.locator(`${name}[source=none] a`).filter({ visible: true }).count(), name).toBe(0);
    }
    // The figure alone is the element's text, and a change of the attribute is heard.
    expect(await textOf(page, "token-supply:not([source])")).toMatch(/^[\d,]+$/);
    for (const name of ["token-supply", "unlock-chart"]) {
      await page.locator(`${name}:not([source])`).evaluate((one) => one.setAttribute("source", "none"));
      await expect.poll(() => page.locator(`${name} a`).filter({ visible: true }).count()).toBe(0);
    }
    expect(await violations(page)).toEqual([]);
  });

  test("a framework that sets properties where an element has them sets every documented attribute", async () => {
    const page = await open("", (fresh) => fresh.route("**/api/page", (route) => route.continue()));
    const set = `(async () => {
      const settings = {
        "token-supply": { figure: "max", format: "compact", source: "none" },
        "token-apy": { product: "native-staking", basis: "spot", source: "none" },
        "unlock-chart": { mode: "monthly", unit: "percent", range: "3y", source: "none" },
      };
      for (const [name, props] of Object.entries(settings)) {
        await customElements.whenDefined(name);
        const one = document.createElement(name);
        // As React 19 and others do.
        for (const [key, value] of Object.entries(props)) key in one ? (one[key] = value) : one.setAttribute(key, value);
        document.querySelector("main").append(one);
      }
      const direct = document.createElement("token-supply");
      direct.source = "none";
      direct.id = "direct";
      document.querySelector("main").append(direct);
    })()`;
    await page.evaluate(set);
    await page.waitForSelector("token-apy[title]");
    expect(await textOf(page, "token-supply[figure=max]")).toBe("1B");
    await page.waitForSelector("#direct[title]");
    await page.locator("unlock-chart .bar, unlock-chart rect").first().waitFor();
    for (const one of ["token-supply[figure=max]", "token-apy", "unlock-chart"])
      expect(await page.locator(`${one} a`).filter({ visible: true }).count(), one).toBe(0);
  });

  test("a reader keeps the focus on the source while readings arrive, and its day follows", async () => {
    const document = (await (await fetch(`${product.url}/api/page`)).json()) as {
      as_of: string;
      supply: { as_of?: string };
    };
    let answers = 0;
    const page = await open("<token-supply>–</token-supply><unlock-chart></unlock-chart>", async (fresh) => {
      await fresh.clock.install({ time: Date.parse("2026-12-01T23:58:00Z") });
      await fresh.route("**/api/page", (route) => {
        answers += 1;
        const asOf = answers === 1 ? "2026-12-01T23:58:00Z" : "2026-12-02T00:02:00Z";
        const supply = { ...document.supply, as_of: asOf };
        return route.fulfill({ headers: ANY_ORIGIN, json: { ...document, as_of: asOf, supply } });
      });
    });
    const link = page.locator("token-supply a");
    await expect.poll(() => link.textContent()).toBe("Aptos supply, 1 Dec 2026");
    await page.locator("unlock-chart a").waitFor();
    expect(await page.locator("unlock-chart a").textContent()).toBe("Aptos supply, 1 Dec 2026");
    await link.focus();
    await page.clock.runFor(300_000);
    await expect.poll(() => answers).toBeGreaterThan(1);
    await expect.poll(() => link.textContent()).toBe("Aptos supply, 2 Dec 2026");
    expect(
      await link.evaluate((one: unknown) => (one as { matches(selector: string): boolean }).matches(":focus")),
    ).toBe(true);
    await page.locator("unlock-chart").evaluate((one) => one.setAttribute("range", "3y"));
    await expect.poll(() => page.locator("unlock-chart a").textContent()).toBe("Aptos supply, 2 Dec 2026");
  });

  test("a fallback has no source: nobody has published it", async () => {
    const page = await open("<token-supply>about 600 million</token-supply>", answering({ status: 503, body: "{}" }));
    await page.waitForSelector("token-supply[failed]");
    expect(await page.locator("token-supply a").count()).toBe(0);
  });

  const PALETTE = ["rgb(0, 160, 169)", "rgb(113, 88, 173)", "rgb(215, 123, 53)", "rgb(146, 91, 4)"];
  const TOKENS = ["text", "line", "accent", "panel", "muted", "background", "on-text", "series-0", "series-1"];
  const HOSTS = { light: ["rgb(255, 255, 255)", "rgb(34, 34, 34)"], dark: ["rgb(17, 17, 17)", "rgb(238, 238, 238)"] };
  const drawn = (scope: Page | FrameLocator): Promise<Record<string, string[]>> =>
    scope.locator("unlock-chart").evaluate((host: unknown) => {
      type Node = { getAttribute(name: string): string | null };
      const { shadowRoot } = host as { shadowRoot: { querySelectorAll(selector: string): Iterable<Node> } };
      const { getComputedStyle } = globalThis as unknown as { getComputedStyle(node: Node): Record<string, string> };
      const of = (selector: string, property: string): string[] => [
        ...new Set([...shadowRoot.querySelectorAll(selector)].map((one) => getComputedStyle(one)[property] ?? "")),
      ];
      return {
        bands: of(".band.past", "fill"),
        labels: of(".today + text", "fill"),
        today: of(".today", "stroke"),
        legend: of("li", "color"),
        keys: of(".key rect", "fill"),
        inherited: ["direction", "letterSpacing", "stroke", "textTransform"].flatMap((name) =>
          of(".today + text", name),
        ),
      };
    });

  test.each(
    (["light", "dark"] as const).flatMap((of) => (["light", "dark"] as const).map((system) => [of, system] as const)),
  )("a %s host under a %s system: the bands have their colours, everything else the host's", async (of, system) => {
    const [background = "", text = ""] = HOSTS[of];
    const tokens = TOKENS.map((name) => `--${name}:red`).join(";");
    const page = await open(
      `<style>:root{${tokens}}body{background:${background};color:${text};direction:rtl;letter-spacing:9px;stroke:red;text-transform:uppercase}</style><unlock-chart></unlock-chart><iframe title="chart" width="800" height="500" src="${product.url}/embed/chart"></iframe>`,
      (fresh) => fresh.emulateMedia({ colorScheme: system }),
    );
    await page.locator("unlock-chart svg").first().waitFor();
    const element = await drawn(page);
    expect(element).toEqual({
      bands: PALETTE,
      labels: [text],
      today: [text],
      legend: [text],
      keys: [...PALETTE].reverse(),
      inherited: ["ltr", "normal", "none", "none"],
    });
    for (const color of PALETTE) expect(contrast(hex(color), hex(background)), color).toBeGreaterThan(3);
    // A frame has a background of its own, and follows the system.
    const frame = page.frameLocator("iframe");
    await frame.locator("unlock-chart svg").first().waitFor();
    const framed = await drawn(frame);
    expect([framed["bands"], framed["keys"]]).toEqual([PALETTE, [...PALETTE].reverse()]);
    const behind = hex(
      await frame.locator("html").evaluate((root: unknown) => {
        const { getComputedStyle } = globalThis as unknown as { getComputedStyle(of: unknown): Record<string, string> };
        return getComputedStyle(root)["backgroundColor"] ?? "";
      }),
    );
    for (const name of ["labels", "today", "legend"])
      expect(contrast(hex(framed[name]?.[0] ?? ""), behind), name).toBeGreaterThan(4.5);
    await picture(page, `embed-${of}-host-${system}-system`);
  });

  test("a host sets the documented properties, even from tokens of the same names, and gets none back", async () => {
    const page = await open(
      `<style>:root{--series-0:rgb(1, 2, 3);--text:rgb(4, 5, 6)}unlock-chart{--unlock-chart-0:var(--series-0);--unlock-chart-text:var(--text)}</style><unlock-chart></unlock-chart>`,
    );
    await page.locator("unlock-chart svg").first().waitFor();
    const element = await drawn(page);
    expect(element["bands"]?.[0]).toBe("rgb(1, 2, 3)");
    expect([element["labels"], element["today"]]).toEqual([["rgb(4, 5, 6)"], ["rgb(4, 5, 6)"]]);
    const own = "getComputedStyle(document.querySelector('unlock-chart')).getPropertyValue('--muted')";
    expect(await page.evaluate(own)).toBe("");
  });

  test("only the page for frames may be framed", async () => {
    const page = await open(
      `<iframe title="chart" src="${product.url}/embed/chart"></iframe><iframe title="page" src="${product.url}/"></iframe>`,
    );
    await page.frameLocator("iframe[title=chart]").locator("unlock-chart svg").first().waitFor();
    const opened = page.context().waitForEvent("page");
    await page.frameLocator("iframe[title=chart]").locator("p a").first().click();
    await opened;
    await expect
      .poll(() => page.warnings.some((text) => text.includes("frame-ancestors") || text.includes("X-Frame-Options")))
      .toBe(true);
    for (const path of ["/", "/docs/", "/nowhere"]) {
      const { headers } = await fetch(product.url + path);
      expect([path, headers.get("X-Frame-Options")]).toEqual([path, "DENY"]);
    }
    expect((await fetch(`${product.url}/embed/chart`)).headers.get("Content-Security-Policy")).toContain(
      "frame-ancestors *",
    );
  });

  test("a badge is an image that other pages may embed", async () => {
    const page = await open(`<img alt="" src="${product.url}/badge/circulating-supply.svg">`);
    await expect
      .poll(() => page.locator("img").evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(50);
    const badge = (await (await fetch(`${product.url}/api/badge/circulating-supply.json`)).json()) as Record<
      string,
      unknown
    >;
    expect(badge).toMatchObject({
      schemaVersion: 1,
      label: "circulating supply",
      message: expect.stringMatching(/^[\d.]+M APT$/),
    });
  });

  test("the script names only files that outlive it, each kept for its hour", async () => {
    const script = await (await fetch(`${product.url}/embed.js`)).text();
    const named = [...script.matchAll(/[\w/.-]+\.js(?=["'`])/g)].map(([path]) => `/${path}`);
    expect(named).toEqual(["/assets/unlock-chart.js"]);
    for (const path of ["/embed.js", ...named]) {
      const { headers } = await fetch(product.url + path);
      expect(headers.get("Cache-Control"), path).toBe("public, max-age=3600");
      expect(headers.get("Access-Control-Allow-Origin"), path).toBe("*");
    }
  });

  test("the chart needs nothing of the script that it came with", async () => {
    const chart = await (await fetch(`${product.url}/assets/unlock-chart.js`)).text();
    expect(chart).not.toMatch(/\bimport\b|\bfrom\s*["'`]/);
    expect(chart).toMatch(/export\s*\{\w+ as attachChart\}/);
  });

  test("the script has at most 3 KB, the chart 7.5 KB more", async () => {
    const script = await (await fetch(`${product.url}/embed.js`)).text();
    const chart = "assets/unlock-chart.js";
    const sizeOf = (text: string): number => gzipSync(text, { level: 9 }).length;
    expect(sizeOf(script)).toBeGreaterThan(500);
    expect(sizeOf(script)).toBeLessThan(MAX_SCRIPT_BYTES);
    const chartSize = sizeOf(await (await fetch(`${product.url}/${chart}`)).text());
    expect(chartSize).toBeGreaterThan(2_000);
    expect(chartSize).toBeLessThan(MAX_CHART_BYTES);
  });
});

interface Boxed {
  getBoundingClientRect(): { readonly top: number };
}
