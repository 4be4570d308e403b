import { beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, NO_CHROMIUM } from "../support/browser.ts";
import { product } from "../support/shared-product.ts";
import { comesTrue, layoutShift, resizeTo, useBrowser, violations } from "../support/visit.ts";

const IS_NIGHTLY = process.env["NIGHTLY"] !== undefined;
const visit = useBrowser();

const get = (path: string, accept = "*/*"): Promise<Response> =>
  fetch(product.url + path, { headers: { Accept: accept } });

/** Every page of the manual, as the sitemap lists them. */
async function pages(): Promise<string[]> {
  const text = await (await get("/sitemap.xml")).text();
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = ""]) => new URL(url).pathname);
}

/** Elements that scroll sideways, with their number of columns and whether they lack a shadow. Runs in the page. */
const SCROLLED_SIDEWAYS = `[...document.querySelectorAll("body *")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === "auto")
  .map((one) => {
    const columns = one.querySelectorAll("thead th").length;
    const shadow = getComputedStyle(one).backgroundImage === "none" ? "no shadow" : "shadow";
    return location.pathname + " " + one.localName + ": " + columns + " columns, " + shadow;
  })`;

/** Short words of code that are on two lines. Runs in the page. */
const BROKEN_WORDS = `[...document.querySelectorAll("main code")].filter((code) => code.checkVisibility()).flatMap((code) => {
  const found = [];
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (const { 0: word, index } of node.data.matchAll(/(?<![\\w.-])[\\w.-]{2,30}(?![\\w.-])/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
      if (new Set(tops).size > 1) found.push(location.pathname + ": " + word);
    }
  return found;
})`;

test("every document contains this host where a reader copies it, in HTML and in Markdown, without script", async () => {
  const documents = (await pages()).flatMap((path) =>
    path === "/docs/" ? [path, "/docs/index.md"] : [path, `${path}.md`],
  );
  const texts = await Promise.all(
    documents.filter((path) => path.startsWith("/docs")).map(async (path) => (await get(path)).text()),
  );
  expect(texts.length).toBeGreaterThan(20);
  for (const [index, text] of texts.entries())
    expect([documents[index], text.match(/.*https:\/\/HOST.*/)]).toEqual([documents[index], null]);
  expect(texts.filter((text) => text.includes(`${product.url}/api/`)).length).toBeGreaterThan(5);
});

test("a document is renewed by its entity tag, and an unknown one is the page that says so", async () => {
  const first = await get("/docs/index.md");
  await first.text();
  expect(first.headers.get("X-Content-Type-Options"), "once").toBe("nosniff");
  expect(first.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  const headers = { "If-None-Match": first.headers.get("ETag") ?? "none" };
  expect((await fetch(`${product.url}/docs/index.md`, { headers })).status).toBe(304);
  const unknown = await get("/docs/unknown", "text/html");
  await unknown.text();
  expect([unknown.status, unknown.headers.get("Content-Type")]).toEqual([404, "text/html; charset=utf-8"]);
  const moved = await fetch(`${product.url}/docs`, { redirect: "manual" });
  expect([moved.status, moved.headers.get("Location")]).toEqual([307, "/docs/"]);
});

describe.skipIf(chromiumPath === undefined)(`the manual (${chromiumPath ?? NO_CHROMIUM})`, () => {
  test("every page exists as HTML and as Markdown, and every link in them resolves", async () => {
    const paths = await pages();
    expect(paths.length).toBeGreaterThan(10);
    const links = new Set<string>();
    for (const path of paths) {
      const html = await get(path, "text/html");
      expect([path, html.status]).toEqual([path, 200]);
      for (const [, link = ""] of (await html.text()).matchAll(/href="(\/[^"#]*)/g)) links.add(link);
      if (path === "/") continue;
      const markdown = await get(path === "/docs/" ? "/docs/index.md" : `${path}.md`);
      expect([path, markdown.headers.get("Content-Type")]).toEqual([path, "text/markdown; charset=utf-8"]);
      expect(await markdown.text()).toMatch(/^# /);
    }
    const dead: string[] = [];
    for (const link of links) {
      const answer = await get(link);
      // A body that nobody reads keeps its connection from the next request.
      await answer.arrayBuffer();
      if (answer.status >= 400) dead.push(link);
    }
    expect(dead).toEqual([]);
  });

  test("in-page links of the references have their targets", async () => {
    for (const path of ["/docs/reference/supply-and-yield", "/docs/reference/chain-node"]) {
      const html = await (await get(path)).text();
      const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
      const missing = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id).filter((id) => !ids.has(id));
      expect([path, missing]).toEqual([path, []]);
    }
  });

  test("llms.txt, robots.txt and the catalog link it with this host's address", async () => {
    const llms = await (await get("/llms.txt")).text();
    expect(llms).toContain(`${product.url}/docs/limits.md`);
    expect(await (await get("/robots.txt")).text()).toContain(`Sitemap: ${product.url}/sitemap.xml`);
    const catalog = await (await get("/.well-known/api-catalog")).text();
    expect(catalog).toContain(`${product.url}/docs/index.md`);
    expect((await get("/")).headers.get("Link")).toContain('rel="api-catalog"');
  });

  test.each(["/docs/", "/docs/errors", "/docs/reference/supply-and-yield", "/embed/chart", "/nowhere"])(
    "%s: accessible, at night in both themes, without horizontal overflow",
    async (path) => {
      const phone = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true };
      const { page } = await visit(product.url + path, phone);
      await page.waitForLoadState("networkidle");
      await page.emulateMedia({ colorScheme: "light" });
      expect(await violations(page), "light").toEqual([]);
      await page.emulateMedia({ colorScheme: "dark" });
      if (IS_NIGHTLY) expect(await violations(page, "colours"), "dark").toEqual([]);
      const overflow = "Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)";
      expect(await page.evaluate(overflow)).toBe(0);
    },
  );

  describe("on a phone", () => {
    const widths: (readonly [string, number])[] = [];
    const scrolled: string[] = [];
    const broken: string[] = [];
    const shifts: (readonly [string, number])[] = [];
    const unfilled: string[] = [];
    beforeAll(async () => {
      const { page } = await visit("about:blank", { viewport: { width: 390, height: 664 }, isMobile: true });
      // The style is there before the script, as over a slow network.
      await page.route("**/assets/*.js", async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 150));
        await route.continue();
      });
      for (const path of await pages()) {
        await page.goto(product.url + path);
        await page.locator("html.ready").waitFor({ state: "attached" });
        shifts.push([path, await layoutShift(page)]);
        if (await page.evaluate("document.querySelector('.docs main')?.textContent.includes('https://HOST')"))
          unfilled.push(path);
        widths.push([path, await page.evaluate("document.documentElement.scrollWidth")]);
        scrolled.push(...(await page.evaluate<string[]>(SCROLLED_SIDEWAYS)));
        broken.push(...(await page.evaluate<string[]>(BROKEN_WORDS)));
      }
    });

    test("no page of the manual is wider than the screen", () => {
      expect(widths.length).toBeGreaterThan(10);
      expect(widths.filter(([, width]) => width !== 390)).toEqual([]);
    });

    // The address is filled in only in examples, whose lines do not break: prose of another length would move the text
    // below it.
    test("no page has a placeholder for its address, in prose or an example", () => {
      expect(unfilled).toEqual([]);
    });

    test("nothing moves when the script arrives", () => {
      expect(shifts.filter(([, shift]) => shift > 0.01)).toEqual([]);
    });

    test("no table scrolls sideways, and code that does shows it", () => {
      expect(scrolled.filter((text) => !text.includes(" pre:") || text.includes("no shadow"))).toEqual([]);
      expect(scrolled.length).toBeGreaterThan(0);
    });

    test("the cells of a table still have their heads", async () => {
      const { page } = await visit(`${product.url}/docs/errors`, { viewport: { width: 390, height: 664 } });
      const session = await page.context().newCDPSession(page);
      const { nodes } = await session.send("Accessibility.getFullAXTree");
      const heads = nodes.filter(({ ignored, role }) => !ignored && role?.value === "columnheader").length;
      expect(heads).toBe(await page.locator("main thead th").count());
      expect(heads).toBeGreaterThan(3);
    });

    test("no code is broken inside a word", () => {
      expect(broken).toEqual([]);
    });
  });

  test("the outline and the search stay in view, examples are beside the text from 1,200 px on", async () => {
    const { page } = await visit(`${product.url}/docs/reference/supply-and-yield`, {
      viewport: { width: 1200, height: 800 },
      reducedMotion: "reduce",
    });
    const link = page.locator(".outline").getByRole("link", { name: "GET /api/unlock-events", exact: true });
    await link.click();
    const boxOf = async (selector: string) => (await page.locator(selector).boundingBox()) ?? { x: 0, y: -1, width: 0 };
    await comesTrue(page, "scrollY > 2000");
    expect((await boxOf("#search")).y).toBeGreaterThanOrEqual(0);
    const operation = "section.operation:has(#get-api-unlock-events)";
    const [text, examples] = [await boxOf(`${operation} > div:first-child`), await boxOf(`${operation} .examples`)];
    expect(examples.x).toBeGreaterThan(text.x + text.width);
    await resizeTo(page, 1100, 800);
    expect((await boxOf(`${operation} .examples`)).x).toBe((await boxOf(`${operation} > div:first-child`)).x);
  });

  test.each([
    ["a mouse", {}],
    ["a finger", { hasTouch: true, isMobile: true, viewport: { width: 390, height: 664 } }],
  ] as const)(
    "under %s a heading's own link is in the size of text, and by a mouse seen on its heading",
    async (_, look) => {
      const { page } = await visit(`${product.url}/docs/figures`, look);
      const heading = page.locator("main h2").first();
      const styleOf = (): Promise<{ opacity: string; size: string; line: string }> =>
        heading.locator(".anchor").evaluate((link: unknown) => {
          const { getComputedStyle } = globalThis as unknown as {
            getComputedStyle(of: unknown): Record<string, string>;
          };
          const { opacity = "", fontSize: size = "", textDecorationLine: line = "" } = getComputedStyle(link);
          return { opacity, size, line };
        });
      if ("hasTouch" in look) expect(await styleOf()).toEqual({ opacity: "1", size: "16px", line: "underline" });
      else {
        await page.mouse.move(0, 0);
        expect(await styleOf()).toEqual({ opacity: "0", size: "16px", line: "none" });
        await heading.hover();
        await expect.poll(styleOf).toMatchObject({ opacity: "1" });
        await page.mouse.move(0, 0);
        await heading.locator(".anchor").focus();
        await expect.poll(styleOf, { message: "by the keyboard" }).toMatchObject({ opacity: "1" });
      }
    },
  );

  test("the search finds sections of every page", async () => {
    const { page } = await visit(`${product.url}/docs/`);
    const search = page.getByRole("searchbox");
    for (const [words, title, path] of [
      ["rate limit headers", /./, /^\/docs\//],
      ["unlock events calendar", /unlock-events\.ics/, /^\/docs\/reference\/supply-and-yield#/],
      ["whole tokens base units", /^Whole tokens, tokens, base units$/, /^\/docs\/figures#/],
    ] as const) {
      await search.fill(words);
      const first = page.locator("#found a").first();
      await first.filter({ hasText: title }).waitFor();
      const href = (await first.getAttribute("href")) ?? "";
      expect(href).toMatch(path);
      expect((await get(href)).status).toBe(200);
    }
    await search.fill("no such words anywhere");
    await page.getByText("Nothing found").waitFor();
  });

  test("the search forgives: a question, a plural, a typing error; and it shows the sentence that it found", async () => {
    const { page, requests } = await visit(`${product.url}/docs/`);
    const ofSearch = () => requests.filter((url) => /search/.test(url)).length;
    expect(ofSearch(), "nothing is loaded before the field is used").toBe(0);
    const search = page.getByRole("searchbox");
    for (const [words, href, sentence] of [
      ["how is circulating supply calculated", "/docs/figures#how-circulating-supply-is-computed", "is calculated as"],
      ["wehbooks", "/docs/#being-told-of-a-change", "No webhook or mail is sent to callers."],
    ] as const) {
      await search.fill(words);
      await page.locator("#found li", { has: page.locator(`a[href="${href}"]`), hasText: sentence }).waitFor();
    }
    expect(ofSearch(), "the library and the index, once").toBe(2);
  });

  test("the manual opens with both circulating figures, each with its answer of now", async () => {
    const { promise: isPainted, resolve: answerNow } = Promise.withResolvers<void>();
    const { page } = await visit(`${product.url}/docs/`, {}, (fresh) =>
      fresh.route("**/api/circulating-supply*", (route) => isPainted.then(() => route.continue())),
    );
    await comesTrue(page, "performance.getEntriesByName('first-contentful-paint').length > 0");
    const figures = ["/api/circulating-supply", "/api/circulating-supply-on-chain"];
    const nowOf = async (path: string) => `Now: ${await (await get(path)).text()}`;
    const earlier = await Promise.all(figures.map(nowOf));
    answerNow();
    const opening = page.locator("main .answer");
    expect(await opening.locator("a").evaluateAll((all) => all.map((one) => one.getAttribute("href")))).toEqual(
      figures,
    );
    const heading = page.locator("main h2").first();
    for (const [index, path] of figures.entries()) {
      const now = opening.nth(index).locator(".now", { hasText: /^Now: \d+$/ });
      await now.waitFor();
      // Another test may pay a fee between two reads.
      expect([earlier[index], await nowOf(path)]).toContain(await now.textContent());
      expect((await now.boundingBox())?.y).toBeLessThan((await heading.boundingBox())?.y ?? 0);
    }
    expect(await layoutShift(page), "the place of each answer is reserved").toBeLessThan(0.01);
  });

  test("how circulating is computed has the amounts of now in it", async () => {
    type Amount = { base_units: string };
    const { page } = await visit(`${product.url}/docs/figures`);
    const [unlocked, chain] = [0, 1].map((index) => page.locator(".sum", { hasText: /^Now: / }).nth(index));
    await chain?.waitFor();
    const { allocations } = (await (await get("/api/allocations")).json()) as { allocations: { unlocked: Amount }[] };
    const unitsIn = (text: string | null | undefined) =>
      (text?.match(/[\d,]+\.\d+/g) ?? []).map((one) => one.replaceAll(/[.,]/g, ""));
    const parts = allocations.map(({ unlocked: { base_units } }) => base_units).filter((units) => units !== "0");
    const sum = String(parts.reduce((all, units) => all + BigInt(units), 0n));
    expect(unitsIn(await unlocked?.textContent())).toEqual([...parts, sum]);
    const [total = "", held = "", left = ""] = unitsIn(await chain?.textContent());
    expect(BigInt(total) - BigInt(held)).toBe(BigInt(left));
    expect(await page.getByRole("heading", { name: "How circulating supply is computed" }).count()).toBe(1);
  });

  test("without script both pages have the schedule's figures of the build, with its day", async () => {
    for (const [path, selector, text] of [
      ["/docs/", ".now", /^On \d+ \w+ \d{4}: \d+$/],
      ["/docs/figures", ".sum", /^On \d+ \w+ \d{4}: .+ \+ .+ = [\d,.]+ APT, in force since /],
    ] as const) {
      const { page } = await visit(product.url + path, { javaScriptEnabled: false }, undefined, false);
      expect(await page.locator(selector).first().textContent()).toMatch(text);
      expect(await page.getByRole("searchbox").count(), "no field that finds nothing").toBe(0);
      expect(await page.locator(".menu a[href='/docs/embed']").count()).toBe(1);
    }
  });

  test("what every path answers is described once, and named at each", async () => {
    const markdown = await (await get("/docs/reference/supply-and-yield.md")).text();
    // The two documents of the page have a limit of their own.
    expect(markdown.match(/^\| 429 \|/gm)).toHaveLength(3);
    expect(markdown.match(/`X-API-Version` \|/g)).toHaveLength(2);
    expect(markdown).toContain("Also 304, 400, 404, 405, 410, 429, 503: [as every path]");
  });

  test("every page says whose figures these are", async () => {
    const { token, sources } = (await (await get("/api/unlock-schedule")).json()) as {
      token: { name: string };
      sources: { title: string }[];
    };
    for (const path of ["/docs/", "/docs/reference/chain-node"]) {
      const html = await (await get(path, "text/html")).text();
      expect(html).toContain(`The figures of ${token.name}`);
      expect(html).toContain(sources[0]?.title);
    }
  });

  test("an element is rendered beside its snippet, which copies only that element", async () => {
    const { page, consoleErrors } = await visit(`${product.url}/docs/embed`, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    for (const [name, drawn] of [
      ["token-apy", "token-apy[title]"],
      ["token-supply", "token-supply[title]"],
      ["unlock-chart", "unlock-chart svg"],
    ] as const) {
      await page.locator(".preview", { has: page.locator(drawn) }).waitFor();
      const block = page.locator(".snippet", { hasText: `<${name}` }).first();
      await block.getByRole("button").click();
      const lines = async () => String(await page.evaluate("navigator.clipboard.readText()")).split("\n");
      await expect
        .poll(lines)
        .toEqual([
          `<script type="module" src="${product.url}/embed.js"></script>`,
          expect.stringMatching(`^<${name}.*</${name}>$`),
        ]);
    }
    expect(consoleErrors).toEqual([]);
  });

  test("every command of an example is on a line of its own, and the first is readable at once", async () => {
    const { page } = await visit(`${product.url}/docs/`, { viewport: { width: 1280, height: 800 } });
    const first = page.locator("main pre").first();
    expect((await first.allInnerTexts()).join().trim().split("\n")).toEqual(
      ["circulating", "max", "total"].map((figure) => `curl -sSf "${product.url}/api/${figure}-supply"`),
    );
    expect((await first.boundingBox())?.y).toBeLessThan(800);
  });

  test("an operation is sent to the same host, and no other host is called", async () => {
    const { page, consoleErrors, requests } = await visit(`${product.url}/docs/reference/supply-and-yield`);
    const form = page.locator('form[data-path="/api/circulating-supply"]');
    const operation = page.locator("section.operation", { has: form });
    await operation.locator("summary").click();
    const options = await form.getByLabel("format").locator("option").allTextContents();
    expect(options).toEqual(["", "number", "plain", "result"]);
    await form.getByLabel("month").fill("2025-01");
    await form.getByLabel("format").selectOption("plain");
    const address = `${product.url}/api/circulating-supply?format=plain&month=2025-01`;
    expect(await operation.locator("pre code").first().textContent()).toBe(`curl -sSf "${address}"`);
    await form.getByRole("button", { name: "Send" }).click();
    await form.locator(".status").waitFor();
    expect(await form.locator(".status").textContent()).toMatch(
      /^200 GET \/api\/circulating-supply\?format=plain&month=2025-01, \d+ ms$/,
    );
    expect(await form.locator("pre").first().textContent()).toMatch(/^\d+$/);
    expect(consoleErrors).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(product.url))).toEqual([]);
  });

  test("limits are documented as defaults; every response has the header with the current one", async () => {
    const markdown = await (await get("/docs/limits.md")).text();
    const limit = /^.*60 requests in any 60 seconds.*$/m;
    expect(markdown).toContain("Limit by default");
    expect(markdown).toMatch(limit);
    const policy = (await get("/api/max-supply")).headers.get("RateLimit-Policy") ?? "";
    // The tested deployment has another limit, so a fixed number in the document would be wrong.
    expect(policy).toBe("default;q=10000;w=60");
    expect(markdown).toContain("`RateLimit-Policy` on every response names the one in force");
    expect(await (await get("/")).text()).not.toMatch(limit);
  });

  test("examples name this host and can be copied", async () => {
    const { page } = await visit(`${product.url}/docs/`);
    await page.locator(".snippet button").first().waitFor();
    expect(await page.locator("main pre").first().textContent()).toContain(`${product.url}/api/circulating-supply`);
    expect(await page.locator("body").textContent()).not.toContain("https://HOST");
  });

  test("a page is small: no console framework", async () => {
    const { page, gzipBytes } = await visit(`${product.url}/docs/`);
    await page.waitForLoadState("networkidle");
    expect(await gzipBytes()).toBeLessThan(20_000);
  });
});
