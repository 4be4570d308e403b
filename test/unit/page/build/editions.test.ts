import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inFamilyTerms, selectServedBlocks, withoutAbsentRows } from "../../../../page/build/conditional.ts";
import { docsPages, indexFiles } from "../../../../page/build/docs.ts";
import { servedDocument } from "../../../../page/build/served-document.ts";
import { readSite, sitePlugin } from "../../../../page/build/site.ts";
import { PAGE_POLICY } from "../../../../src/config.ts";
import { chainsOf, settingsOfFirstChain } from "../../../../src/families/token-chain.ts";
import { ALL_PARTS, missingPartsText, partsWithout } from "../../../../tools/lib/parts.ts";
import { readPublishedSchedule } from "../../../../tools/schedule/files.ts";
import { configOf } from "../../../support/app.ts";
import { addressesIn, EDITIONS, type Edition, EVERYTHING, hasIn } from "../../../support/editions.ts";
import { servedByKind } from "../../../support/kinds.ts";

const FIGURES_ALONE: Edition = { ...EVERYTHING, name: "without-v1", parts: { ...ALL_PARTS, node: false } };
const WITHOUT_STAKING: Edition = { ...EVERYTHING, name: "without-staking", parts: partsWithout("staking") };
const EVM: Edition = {
  ...EVERYTHING,
  name: "evm",
  schedule: join(import.meta.dirname, "../../../fixtures/editions/erc20.json"),
  parts: { ...partsWithout("node,staking,yields", chainsOf({}, { family: "evm" })) },
};
/** Schedule that locks tokens of an allocation without a wallet, day by day. */
const LOCKS: Edition = {
  ...FIGURES_ALONE,
  name: "locks",
  schedule: join(import.meta.dirname, "../../../fixtures/editions/locks.json"),
};
const sourcesOf = (edition: Pick<Edition, "parts" | "schedule" | "addresses">) =>
  readSite(
    edition.parts,
    readPublishedSchedule(edition.schedule, settingsOfFirstChain(edition.parts.chains[0])),
    addressesIn(edition)?.entries ?? [],
  );
/** A page of the deployment, as its build writes it. */
function htmlOf(sources: ReturnType<typeof sourcesOf>, name: string): string {
  const { transformIndexHtml: hook } = sitePlugin(sources);
  if (typeof hook !== "object") throw new Error("the plugin fills no page");
  return String(
    Reflect.apply(hook.handler, undefined, [readFileSync(join("page", name), "utf8"), { path: `/${name}` }]),
  );
}

const ALL = [EVERYTHING, FIGURES_ALONE, WITHOUT_STAKING, EVM, LOCKS, ...EDITIONS];

describe.each(ALL)("the documents of the deployment $name", (edition) => {
  const sources = sourcesOf(edition);
  const { has, isServed } = sources;
  const pages = docsPages(sources);
  // Pages about the product, the format and the API have the same prose for every deployment.
  const written = pages.filter(({ slug }) => !/^(changelog|schedule|reference\/.*)$/.test(slug));

  test("the manual names no path that is absent, and links to no page that is", () => {
    const slugs = pages.map(({ slug }) => `/docs/${slug}`);
    expect(written.length).toBeGreaterThan(8);
    const dead = written.flatMap(({ slug, markdown }) => {
      const paths = markdown.match(/(?<![a-z\d.]|NODE)\/(?:api|v1)\b(?:\/[\w{}-]+)*/g) ?? [];
      const links = [...markdown.matchAll(/\]\((\/docs\/[^)#]*)/g)].map(([, path = ""]) => path);
      return [
        ...paths.filter((path) => isServed(path) === false),
        ...links.filter((path) => !slugs.includes(path)),
      ].map((path) => `${slug}: ${path}`);
    });
    expect(dead).toEqual([]);
    const asksChain = written.filter(({ markdown }) => /\bchain nodes?\b/.test(markdown)).map(({ slug }) => slug);
    if (!has.chain) expect(asksChain).toEqual([]);
  });

  test("the changelog links to pages of the manual, and names other documents by their path", () => {
    const { markdown = "" } = pages.find(({ slug }) => slug === "changelog") ?? {};
    const slugs = pages.map(({ slug }) => `/docs/${slug}`);
    const links = [...markdown.matchAll(/\]\((?!https?:)([^)#]*)/g)].map(([, path = ""]) => path);
    expect(links).toContain("/docs/schedule");
    expect(links.filter((path) => !slugs.includes(path))).toEqual([]);
    expect(markdown).not.toContain("`page/docs/schedule.md");
  });

  test("the manual has the commands that check a figure, and none of the operator's", () => {
    const readers = pages.filter(({ slug }) => !/^(changelog|reference\/.*)$/.test(slug));
    const commands = readers.flatMap(({ markdown }) => markdown.match(/npm run [\w:]+(?: -- \w+)?/g) ?? []);
    expect(commands.filter((command) => !/^npm run schedule -- (?:at|verify)$/.test(command))).toEqual([]);
  });

  test("no link of a page, and no address of the manual, leads to what this kind of file does not serve", () => {
    // Some figures depend on more than the kind.
    const rows = servedByKind(edition.kind).filter(
      ({ path, serves }) => serves === "400" || (serves === "404" && isServed(path) !== true),
    );
    const refused = new Set(rows.map(({ path }) => path.replace(/=.*$/, "")));
    const htmls = [has.unlocks ? "index.html" : "wallets.html", "verify.html", "404.html"];
    const texts = [...htmls.map((name) => htmlOf(sources, name)), ...written.map(({ markdown }) => markdown)];
    const links = texts.flatMap((text) =>
      [...text.matchAll(/(?:href="|https:\/\/HOST)(\/(?:api|badge|v1|feed)\b[^"\s`)<]*)/g)].map(
        ([, link = ""]) => link,
      ),
    );
    expect(links.length).toBeGreaterThan(20);
    const isRefused = (link: string): boolean => {
      const [path = "", query = ""] = link.split("?");
      const names = [...new URLSearchParams(query).keys()];
      return isServed(path) === false || refused.has(path) || names.some((name) => refused.has(`${path}?${name}`));
    };
    expect([...new Set(links.filter(isRefused))]).toEqual([]);
  });

  test("no marker is left, no heading is empty, no table without rows", () => {
    for (const { slug, markdown } of pages) {
      expect(markdown, slug).not.toMatch(/<!-- |\{\{/);
      expect(markdown, slug).not.toMatch(/^(#+) .*\n+(?=\1 )/m);
      expect(markdown, slug).not.toMatch(/^\|[ |:-]+\|\n(?!\|)/m);
    }
  });

  test("llms.txt and the sitemap list its pages, and no document of what it lacks", () => {
    const {
      "llms.txt": llms = "",
      "sitemap.xml": sitemap = "",
      "robots.txt": robots = "",
    } = indexFiles(sources, pages);
    expect([...sitemap.matchAll(/<loc>/g)]).toHaveLength(pages.length + 1);
    expect(llms.includes("/v1/spec.json")).toBe(has.node);
    expect(llms.includes("/docs/sdks.md")).toBe(has.node);
    expect(robots.includes("/v1/")).toBe(has.node);
    expect(sitemap.includes("/docs/yields<")).toBe(has.yields);
    // The brand's words are of an unlock schedule.
    const [, description = ""] = /^> (.+)$/m.exec(llms) ?? [];
    expect(/unlocks next/.test(description), description).toBe(has.unlocks);
    if (!has.unlocks) expect(description).toMatch(/^How much .+ circulates, read on chain: /);
  });

  test("no page has a link that leads nowhere when it is served: each is a path of this service or a whole address", () => {
    const links = pages.flatMap(({ slug, markdown }) =>
      [...markdown.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => `${slug}: ${target}`),
    );
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((link) => !/: (\/|#|https?:\/\/|mailto:)/.test(link))).toEqual([]);
  });
});

test("the document of every deployment passes the linter", () => {
  const folder = mkdtempSync(join(tmpdir(), "documents-"));
  const files = ALL.map((edition) => {
    const file = join(folder, `${edition.name}.json`);
    writeFileSync(file, JSON.stringify(servedDocument(hasIn(edition), addressesIn(edition)?.entries)));
    return file;
  });
  const words = ["lint", "--config", "redocly.yaml", "--format", "summary", ...files];
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const { status, stdout, stderr } = spawnSync("node_modules/.bin/redocly", words, { encoding: "utf8", env });
  expect([status, stdout + stderr], stdout + stderr).toEqual([0, expect.not.stringMatching(/warning|error/i)]);
});

describe("registered addresses in the documents", () => {
  const sources = sourcesOf(EVERYTHING);
  const pages = docsPages(sources);

  test("each is in llms.txt and on the page for trackers with its figure; without a file there is no such section", () => {
    const trackers = pages.find(({ slug }) => slug === "trackers")?.markdown ?? "";
    const { "llms.txt": llms = "" } = indexFiles(sources, pages);
    for (const text of [trackers, llms]) {
      expect(text).toContain("## Registered addresses");
      expect(text).toMatch(/https:\/\/HOST\/api\.dws\?q=maxcoins\b.*`max_supply` as number/);
      expect(text).toMatch(/https:\/\/HOST\/token\?fig%5B%5D=a\+b\b.*`max_supply` as number/);
    }
    const without = sourcesOf({ parts: ALL_PARTS, schedule: EVERYTHING.schedule });
    const others = docsPages(without);
    expect(indexFiles(without, others)["llms.txt"]).not.toContain("Registered addresses");
    expect(others.find(({ slug }) => slug === "trackers")?.markdown).not.toContain("## Registered addresses");
  });

  test("a path is one operation whose parameter is an enumeration, on a path of ours beside its own parameters", () => {
    const { paths } = sources.publicDocument;
    const parameterIn = (path: string) => paths[path]?.["get"]?.parameters?.find(({ name }) => name !== undefined);
    expect(parameterIn("/api.dws")).toMatchObject({
      name: "q",
      required: true,
      schema: { enum: ["totalcoins", "circulating", "maxcoins"] },
    });
    expect(parameterIn("/token")).toMatchObject({ name: "fig[]", required: false });
    expect(parameterIn("/api/supply")).toMatchObject({ name: "q", required: false });
    const ids = Object.values(paths).map((item) => item["get"]?.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test("the manual has the default limits of the configuration, and no field that nothing fills", () => {
  const pages = docsPages(sourcesOf(EVERYTHING));
  const textOf = (slug: string) => pages.find((page) => page.slug === slug)?.markdown;
  const { policies } = configOf({});
  for (const { name, quota } of [...Object.values(policies), PAGE_POLICY])
    expect(textOf("limits")).toMatch(new RegExp(`\\| \`${name}\` *\\| *${quota.toLocaleString("en")} requests in any`));
  expect(textOf("limits")).toContain(`\`default;q=${policies.default.quota};w=60\``);
  expect(textOf("trackers")).toContain(`${policies.default.quota} requests in any 60 seconds by default`);
  for (const slug of ["limits", "trackers"]) expect(textOf(slug)).not.toMatch(/\{\w+\}/);
});

describe("the documents of a token on an EVM chain", () => {
  const pages = docsPages(sourcesOf(EVM));
  const written = pages.filter(({ slug }) => !/^(changelog|schedule|revising)$/.test(slug));

  test("speak of blocks; names of the contract stay", () => {
    for (const { slug, markdown } of written) expect(markdown, slug).not.toMatch(/ledger version/i);
    expect(JSON.stringify(servedDocument(hasIn(EVM)))).not.toMatch(/ledger version|type tag|\$1/i);
    const reference = pages.find(({ slug }) => slug === "reference/supply-and-yield")?.markdown;
    expect(reference).toContain("all read at one block");
    expect(reference).toContain("X-Ledger-Version");
    expect(reference).toContain("ledger_version");
    const promises = pages.find(({ slug }) => slug === "promises")?.markdown;
    expect(promises).toContain('"method": "eth_call"');
    for (const { slug, markdown } of written) expect(markdown, slug).not.toMatch(/<!-- (end )?(move|evm)/);
    expect(promises).not.toContain("/v1");
  });
});

test("only a deployment with locks without a wallet has their figure, with its meaning and the trackers that it is for", () => {
  const textsOf = (edition: Edition) => {
    const pages = docsPages(sourcesOf(edition));
    return ["figures", "trackers", "embed"].map((slug) => pages.find((page) => page.slug === slug)?.markdown ?? "");
  };
  const [figures = "", trackers = "", embed = ""] = textsOf(LOCKS);
  expect(figures).toContain("## The figure by chain and schedule");
  expect(trackers).toContain("https://HOST/api/circulating-supply-hybrid?format=result&decimals=exact");
  expect(embed).toContain("`circulating-supply-hybrid`");
  const { paths, components } = servedDocument(hasIn(LOCKS));
  expect(paths).toHaveProperty(["/api/circulating-supply-hybrid"]);
  expect(components["schemas"]?.["HistoryFigure"]?.enum).toContain("circulating_supply_hybrid");
  for (const edition of [EVERYTHING, EVM, ...EDITIONS]) {
    const texts = [...textsOf(edition), ...Object.keys(servedDocument(hasIn(edition)).paths)];
    expect(texts.filter((text) => text.includes("hybrid"))).toEqual([]);
  }
});

test("a document of fewer paths has no component that none of them names", () => {
  const [schedule] = EDITIONS.map((edition) => servedDocument(hasIn(edition)));
  const text = JSON.stringify(schedule);
  expect(Object.keys(schedule?.components["schemas"] ?? {})).not.toContain("YieldProduct");
  for (const [kind, parts] of Object.entries(schedule?.components ?? {}))
    for (const name of Object.keys(parts)) expect(text).toContain(`"#/components/${kind}/${name}"`);
  const badges = schedule?.components["parameters"]?.["BadgeFigure"]?.schema?.enum;
  expect(badges).toEqual(["circulating-supply", "max-supply"]);
  const [, chain] = EDITIONS.map((edition) => servedDocument(hasIn(edition)).components["schemas"]?.["HistoryFigure"]);
  expect(chain?.enum).toContain("total_supply");
  expect(chain?.enum).not.toContain("staked_supply");
  // Control: the whole document has them.
  expect(readFileSync("openapi/public.json", "utf8")).toContain('"YieldProduct"');
});

describe("parts of pages", () => {
  const isV1 = (isThere: boolean) => (path: string) => (path === "/v1" ? isThere : undefined);

  test.each([
    ["a<!-- with /v1 --> b<!-- end --> c", "a b c", "a c"],
    ["a<!-- without /v1 --> b<!-- end --> c", "a c", "a b c"],
    ["a, <!-- with /v1 -->b, <!-- end -->c", "a, b, c", "a, c"],
    ["a\n<!-- with /v1 -->\nb\n<!-- end -->\nc", "a\nb\nc", "a\nc"],
    ["a<!-- with /v1 --> b<!-- without /v1 --> c<!-- end --> d<!-- end -->", "a b d", "a"],
    ["<!-- with /v1 -->a<!-- with /v1 -->b<!-- end --><!-- end --><!-- without /v1 -->c<!-- end -->", "ab", "c"],
  ])("%j", (text, withChain, withoutChain) => {
    expect([selectServedBlocks(text, isV1(true)), selectServedBlocks(text, isV1(false))]).toEqual([
      withChain,
      withoutChain,
    ]);
  });

  test.each([
    ["<!-- with /v9 -->a<!-- end -->", "blocks name a path of the API"],
    ["<!-- with /v1 -->a<!-- with /v1 -->b<!-- end -->", "the block is not closed"],
  ])("%s is refused", (text, why) => {
    expect(() => selectServedBlocks(text, isV1(true))).toThrow(why);
  });

  test.each([
    ["a<!-- move --> b<!-- end move --><!-- evm --> c<!-- end evm -->.", "a b.", "a c."],
    [
      "<!-- with /v1 -->a<!-- move --> b<!-- end move --><!-- end -->",
      "<!-- with /v1 -->a b<!-- end -->",
      "<!-- with /v1 -->a<!-- end -->",
    ],
    ["a\n<!-- move -->\nb\n<!-- end move -->\nc", "a\nb\nc", "a\nc"],
    ["Ledger versions: a ledger version", "Ledger versions: a ledger version", "Blocks: a block"],
  ])("of a family: %j", (text, move, evm) => {
    expect([inFamilyTerms(text, "move"), inFamilyTerms(text, "evm")]).toEqual([move, evm]);
  });

  test("a row stays unless all its paths are absent", () => {
    const rows = ["| a |", "| - |", "| `/api/a`, `/api/b` |", "| [x](/api/a) |", "| text |"];
    expect(withoutAbsentRows(rows.join("\n"), (path) => path !== "/api/a").split("\n")).toEqual(rows.toSpliced(3, 1));
  });

  test("missing parts are named, and read again", () => {
    const parts = { ...ALL_PARTS, chain: false, yields: false };
    expect(missingPartsText(parts)).toBe("chain,yields");
    expect(partsWithout("chain,yields")).toEqual(parts);
    expect(() => partsWithout("chain,badges")).toThrow("--without: has badges; it takes chain, node");
  });
});
