import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyCheckout, ENVIRONMENT } from "../support/checkout.ts";
import { PlatformStandIn } from "../support/platform-stand-in.ts";
import { type Product, startProduct } from "../support/product.ts";
import { finished } from "../support/run-tool.ts";

const QUICKSTART = readFileSync("docs/quickstart.md", "utf8");
const BLOCKS = [...QUICKSTART.matchAll(/^```(\w*)\n((?:.*\n)*?)^```$/gm)];
const blocks = (kind: string) => BLOCKS.flatMap(([, found, block = ""]) => (found === kind ? [block] : []));
const COMMANDS = blocks("").flatMap((block) => block.trim().split("\n"));
const [ROUTES = "", NONE = ""] = blocks("toml");
/** What the rehearsal's settings are on the platform. */
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

let folder: string;
let home: string;
let platform: PlatformStandIn;
let product: Product | undefined;

beforeAll(async () => {
  folder = copyCheckout();
  home = mkdtempSync(join(tmpdir(), "operator-"));
  writeFileSync(join(folder, "sheet.csv"), SHEET);
  writeFileSync(join(folder, "grants.csv"), GRANTS);
  copyFileSync("test/fixtures/sheets/plan.xlsx", join(folder, "plan.xlsx"));
  platform = await new PlatformStandIn().start();
});
afterAll(async () => {
  await platform.stop();
  await product?.stop();
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

test("its commands lead from a sheet and an empty account to a figure on the free plan, with nothing else", async () => {
  const settings = join(folder, "wrangler.toml");
  const edited = readFileSync(settings, "utf8")
    .replace("[env.production]\n", `[env.production]\n${ROUTES}`)
    .replace(/^\[env\.production\.vars\]\n(?:.+\n)+/m, (section) =>
      NONE.split("\n").reduceRight((edited, line) => withSetting(edited, line), section),
    );
  writeFileSync(settings, edited);
  const walked: string[] = [];
  for (const command of COMMANDS) {
    // What a clone, a history and a browser are needed for.
    if (/^(git|npx wrangler login)/.test(command)) continue;
    if (/npm run deploy/.test(command)) {
      product = await startProduct(
        { NODE_URLS: "none", RATES_URL: "none", RATE_LIMIT_DEFAULT: "10000/60" },
        { cwd: folder, env: ENVIRONMENT },
      );
      platform.productUrl = product.url;
      expect(product.output(), "what was built for the rehearsal").not.toContain("building the page");
    }
    const words = command.replace("https://api.xyz.example", platform.url);
    const { code, output } = await run(/npm run deploy/.test(words) ? `${words} --address ${platform.url}` : words);
    expect([command, code], output).toEqual([command, 0]);
    if (command.includes("rehearse")) expect(output).toContain(REHEARSED);
    if (command.includes("deploy")) {
      expect(output).not.toContain("/v1: first");
      expect(output).toContain(`: version ${platform.versions[0]?.id}, before it none; commit`);
    }
    walked.push(words.split(" ").slice(0, 5).join(" "));
  }
  expect(walked).toHaveLength(10);
  const [version] = platform.versions;
  expect(platform.live()).toEqual([`${version?.id}@100`]);
  const circulating = await fetch(`${platform.url}/api/circulating-supply`);
  expect([circulating.status, await circulating.text()]).toEqual([200, expect.stringMatching(/^[1-9]\d+$/)]);
}, 300_000);
