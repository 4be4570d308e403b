import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyCheckout, ENVIRONMENT } from "../support/checkout.ts";
import { EvmChain } from "../support/evm/chain.ts";
import { type HttpEvmNode, startEvmNode } from "../support/evm/http.ts";
import { PlatformStandIn } from "../support/platform-stand-in.ts";
import { type Product, startProduct } from "../support/product.ts";
import { examined, finished, idleHealth } from "../support/run-tool.ts";

const QUICKSTART = readFileSync("docs/quickstart.md", "utf8");
const BLOCKS = [...QUICKSTART.matchAll(/^```(\w*)\n((?:.*\n)*?)^```$/gm)];
const blocks = (kind: string) => BLOCKS.flatMap(([, found, block = ""]) => (found === kind ? [block] : []));
/** README's statements about the deployment to which the page leads. */
const README_ANSWERS = [
  ...readFileSync("README.md", "utf8").matchAll(/^\$ curl '?https:\/\/api\.xyz\.example([^'\n]*)'?\n(.*)$/gm),
].map(([, path, answer]) => [path, answer]);
const COMMANDS = blocks("").flatMap((block) => block.trim().split("\n"));
const [ROUTES = "", SETTINGS = ""] = blocks("toml");
/** The nodes, as the secrets of the deployment name them. */
const [, NODE_URLS = ""] = /`NODE_URLS=(\S+)`/.exec(QUICKSTART) ?? [];
/** Form of the rehearsal's settings on the platform. */
const REHEARSED = 'NODE_URLS = "none" and RATES_URL = "none" under [env.production.vars] of wrangler.toml';
/** Buckets that add up to a billion at their end, from January of last year on. */
const SHEET = [
  "Month,Team,Community",
  ...Array.from({ length: 36 }, (_, month) => {
    const day = new Date(Date.UTC(new Date().getUTCFullYear() - 1, month, 1)).toISOString().slice(0, 7);
    return `${day},${Math.floor((400_000_000 * month) / 35)},${250_000_000 + 10_000_000 * month}`;
  }),
].join("\n");

const GRANTS = [
  "Grant,Category,Start,Cliff months,Duration months,Amount",
  "G-1,Advisors,2026-01-01,6,24,120000",
  "G-2,Team,2026-02-01,12,48,240000",
  "G-3,Team,2026-03-01,12,48,480000",
].join("\n");

/** Answers of a person for the grants list. */
const GRANTS_MAPPING = {
  sheet: "grants.csv",
  max_supply: "840000",
  rows: "rule",
  titles: 1,
  decimal_mark: "point",
  linear: "by_month",
  outside: [],
  columns: [
    { column: "A", title: "Grant", is: "ignored" },
    { column: "B", title: "Category", is: "bucket" },
    { column: "C", title: "Start", is: "start", unit: "date" },
    { column: "D", title: "Cliff months", is: "cliff", unit: "months" },
    { column: "E", title: "Duration months", is: "duration", unit: "months", from: "start" },
    { column: "F", title: "Amount", is: "amount", unit: "tokens" },
  ],
};

const ETHER = 10n ** 18n;
/** The wallet that the page lists. */
const [, VESTING = ""] = /wallet add (0x\w+)/.exec(QUICKSTART) ?? [];

let folder: string;
let nodes: HttpEvmNode[] = [];
let home: string;
let platform: PlatformStandIn;
let product: Product | undefined;

beforeAll(async () => {
  folder = copyCheckout();
  home = mkdtempSync(join(tmpdir(), "operator-"));
  writeFileSync(join(folder, "sheet.csv"), SHEET);
  writeFileSync(join(folder, "grants.csv"), GRANTS);
  writeFileSync(join(folder, "grants.csv.columns.json"), JSON.stringify(GRANTS_MAPPING));
  copyFileSync("test/fixtures/sheets/plan.xlsx", join(folder, "plan.xlsx"));
  writeFileSync(join(home, "secrets"), `NODE_URLS=${NODE_URLS}\nNODE_API_KEY=YOUR-KEY\n`, { mode: 0o600 });
  platform = await new PlatformStandIn().start();
  const holders = new Map([[VESTING, 400_000_000n * ETHER - 1n]]);
  const chain = await EvmChain.begin({
    supply: 10n ** 9n * ETHER,
    holders,
    startSeconds: Math.floor(Date.now() / 1_000),
  });
  nodes = [await startEvmNode(chain), await startEvmNode(chain)];
});
afterAll(async () => {
  await platform.stop();
  await product?.stop();
  for (const node of nodes) await node.close();
});

/** A section of settings with this line in the place of the one of its name. */
function withSetting(section: string, line: string): string {
  const [name = ""] = line.split(" ");
  return name === "" ? section : section.replace(new RegExp(`^${name} = .*\\n`, "m"), "").replace("\n", `\n${line}\n`);
}

/** Runs a command of the page as it is written; its exit code and all that it printed. */
function run(command: string) {
  const env = { ...ENVIRONMENT, ...platform.environment, HOME: home, XDG_CONFIG_HOME: home };
  return finished(spawn("sh", ["-c", command], { cwd: folder, env }));
}

test("it has at most 297 words", () => {
  expect(QUICKSTART.split(/\s+/).filter((word) => word !== "").length).toBeLessThanOrEqual(297);
});

test("its commands lead from a sheet, a token and an empty account to its figures on the free plan", async () => {
  const settings = join(folder, "wrangler.toml");
  const edited = readFileSync(settings, "utf8")
    .replace("[env.production]\n", `[env.production]\n${ROUTES}`)
    .replace(/^\[env\.production\.vars\]\n(?:.+\n)+/m, (section) =>
      SETTINGS.split("\n").reduceRight((edited, line) => withSetting(edited, line), section),
    );
  writeFileSync(settings, edited);
  const walked: string[] = [];
  for (const command of COMMANDS) {
    // Commands that need a clone, a history or a browser are skipped.
    if (/^(git|npx wrangler login)/.test(command)) continue;
    if (/npm run deploy/.test(command)) {
      product = await startProduct(
        {
          ...Object.fromEntries([...SETTINGS.matchAll(/^(\w+) = "(.*)"$/gm)].map(([, name, value]) => [name, value])),
          NODE_URLS: nodes.map(({ url }) => url).join(),
          RATE_LIMIT_DEFAULT: "10000/60",
          // Revision of a deployment; without it the doctor reports a problem.
          BUILD_REVISION: "1234567",
        },
        { cwd: folder, env: ENVIRONMENT },
      );
      platform.productUrl = product.url;
      // A deployment is not repeated.
      await idleHealth(product.url);
    }
    const words = command
      .replace("https://api.xyz.example", platform.url)
      .replace("https://b.example", nodes[1]?.url ?? "")
      .replace("../secrets", join(home, "secrets"));
    const { code, output } = await (/npm run deploy/.test(words)
      ? run(`${words} --address ${platform.url}`)
      : examined(() => run(words)));
    expect([command, code], output).toEqual([command, 0]);
    if (command.includes("rehearse")) expect(output).toContain(REHEARSED);
    if (command.includes("verify"))
      expect(output).toContain(
        "wallets 399999999.999999999999999999, circulating on chain 600000000.000000000000000001",
      );
    if (command.includes("deploy")) {
      expect(output).not.toContain("/v1: first");
      // Nobody is at the addresses of the page: that is told, and stops nothing.
      expect(output).toContain("deploy: note: upstream-2 (b.example) does not answer");
      expect(output).not.toContain("a.example/YOUR-KEY");
      expect(output).toContain(`: version ${platform.versions[0]?.id}, before it none; commit`);
    }
    walked.push(words.split(" ").slice(0, 5).join(" "));
  }
  expect(walked).toHaveLength(11);
  const [version] = platform.versions;
  expect(platform.live()).toEqual([`${version?.id}@100`]);
  const text = async (path: string) => (await fetch(`${platform.url}/api/${path}`)).text();
  expect(await text("circulating-supply")).toMatch(/^[1-9]\d+$/);
  expect(README_ANSWERS).toHaveLength(3);
  for (const [path, answer] of README_ANSWERS)
    expect([path, await (await fetch(platform.url + path)).text()]).toEqual([path, answer]);
  const row = "circulating_supply_on_chain,600000000.000000000000000001,600000000000000000000000001,18,";
  expect(await text("history.csv")).toContain(row);
  expect(await text("openapi.json")).toContain("all read at one block");
});
