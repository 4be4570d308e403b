import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scheduleView } from "../../src/supply/representations.ts";
import { copyCheckout } from "./checkout.ts";
import { pageSchedule } from "./page-states.ts";
import { type Product, startProduct } from "./product.ts";

/** The settings that a deployment requires, beside {@link SECRETS}. */
export const UPSTREAMS = ["--var", "RATES_URL:https://rates.example/pools", "--var", "CHAIN_ID:4"];
// The test runner itself sets BASE_URL, which would make a run within this one test a deployment.
const { SCHEDULE_FOLDER: _schedule, BASE_URL: _base, ...environment } = process.env;
/** An operator's environment: without what this run of the tests has added. */
export const ENVIRONMENT = environment;
/** The secret that a deployment requires. */
export const SECRETS = { NODE_URLS: "https://node.example/v1" };

/** A kind of wallet for each bucket in turn. */
const KINDS = ["account", "stake_pool", "vesting"] as const;

/**
 * The schedule with a wallet on this chain for every bucket. Not for 18 decimals: no balance of this family of chains
 * holds 19 whole tokens of them.
 */
function withWallets(schedule: OperatorFile): OperatorFile {
  if (schedule.buckets === undefined || schedule.token.decimals > 12) return schedule;
  const buckets = schedule.buckets.map((bucket, index) => {
    const holds = KINDS[index % KINDS.length];
    return { ...bucket, addresses: [{ chain: "native", address: `0xaa${index}`, label: "Vault", holds }] };
  });
  return { ...schedule, buckets };
}

interface OperatorFile {
  readonly token: { readonly decimals: number; readonly symbol: string; readonly name: string };
  readonly buckets?: readonly object[];
}

/** A logo without a title and a light background of its own: the linter and the tests are not about them. */
function writeBrand(folder: string): void {
  const path = join(folder, "page", "brand.json");
  const brand = JSON.parse(readFileSync(path, "utf8"));
  const light = { ...brand.colors.light, background: "#fffdf5" };
  writeFileSync(path, JSON.stringify({ ...brand, name: "Own", logo: "/own.svg", colors: { ...brand.colors, light } }));
  const circle = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4" fill="#a30"/></svg>';
  writeFileSync(join(folder, "page", "public", "own.svg"), circle);
}

/**
 * Tests that replace the sample by another network's schedule, in unusual formatting, and the brand by another, and run
 * all tools with them.
 */
export function testSchedule(example: string): void {
  let folder: string;
  let product: Product;

  const run = (tool: string, ...words: string[]) => {
    const env = tool === "deploy" ? { ...ENVIRONMENT, ...SECRETS } : ENVIRONMENT;
    const options = { cwd: folder, encoding: "utf8", env } as const;
    const { status, stdout, stderr } = spawnSync("node", ["tools/main.mjs", tool, ...words], options);
    return { status, output: stdout + stderr };
  };

  beforeAll(async () => {
    folder = copyCheckout();
    const native = join(folder, "schedule", "native.json");
    copyFileSync(join(folder, "schedule", "examples", `${example}.json`), native);
    // One line, no newline at the end: formatters ignore an operator's file.
    const own = withWallets(JSON.parse(readFileSync(native, "utf8")));
    writeFileSync(native, JSON.stringify({ ...own, $schema: "./schema.json" }));
    writeBrand(folder);
    expect(run("schedule", "check").output).toContain("records the figures of the sample data, which yours replace");
    expect(run("schedule", "publish")).toMatchObject({ status: 0 });
    product = await startProduct({ RATE_LIMIT_DEFAULT: "10000/60" }, { cwd: folder, env: ENVIRONMENT });
  }, 120_000);

  afterAll(() => product?.stop());

  test("is what the product serves, and what its page comes with", async () => {
    const { token } = JSON.parse(readFileSync(join(folder, "schedule", "native.json"), "utf8"));
    const served: unknown = await (await fetch(`${product.url}/api/unlock-schedule`)).json();
    expect(served).toMatchObject({ token });
    const ofPage = scheduleView(pageSchedule(await (await fetch(product.url)).text()));
    expect(JSON.parse(JSON.stringify(ofPage))).toEqual(served);
  });

  test("is what the embedded chain begins with: its coin, its wallets, healthy and verified", async () => {
    const { token } = JSON.parse(readFileSync(join(folder, "schedule", "native.json"), "utf8"));
    const resource = "0x1::coin::CoinInfo<0x1::aptos_coin::AptosCoin>";
    const coin = await (await fetch(`${product.url}/v1/accounts/0x1/resource/${resource}`)).json();
    expect(coin).toMatchObject({ data: token });
    const health = await fetch(`${product.url}/api/health`);
    expect([health.status, await health.json()]).toMatchObject([200, { status: "ok", problems: [] }]);
    const breakdown = await fetch(`${product.url}/api/supply-breakdown`);
    if (breakdown.status !== 404) expect([breakdown.status, await breakdown.json()]).toMatchObject([200, {}]);
    const verified = run("schedule", "verify", "--node", `${product.url}/v1`);
    expect(verified.status, verified.output).toBe(0);
  });

  test("passes the doctor and the smoke suite", () => {
    const doctor = run("doctor", product.url);
    expect(doctor.output.trim().split("\n").slice(0, -1)).toEqual([]);
    const smoke = run("smoke", product.url);
    expect(smoke.status, smoke.output).toBe(0);
  }, 240_000);

  test("passes the linter, which ignores an operator's files", () => {
    const words = ["check", "--error-on-warnings", "--vcs-enabled=false", "schedule", "page"];
    const { status, stdout, stderr } = spawnSync("biome", words, { cwd: folder, encoding: "utf8" });
    expect(status, stdout + stderr).toBe(0);
  });

  // Slow, and the same for each schedule.
  test.runIf(example === "sui")(
    "passes every test that reads a schedule, in a folder with a blank in its name",
    () => {
      const folders = ["supply", "tools", "page", "docs", "openapi"].map((name) => `test/unit/${name}`);
      const words = ["run", "--project", "unit", ...folders];
      const options = { cwd: folder, encoding: "utf8", env: ENVIRONMENT } as const;
      const { status, stdout, stderr } = spawnSync("vitest", words, options);
      expect(folder).toContain(" ");
      expect(status, stdout + stderr).toBe(0);
    },
    240_000,
  );

  test("passes a dry run of a deployment; it warns only of wallets that are not listed", () => {
    const { status, output: printed } = run("deploy", "--env", "staging", "--dry-run", ...UPSTREAMS);
    expect(status, printed).toBe(0);
    const warnings = printed.split("\n").filter((line) => /warning|▲|✘|sample data/i.test(line));
    // None of the examples has a list of `wallets`, beside those of its buckets.
    expect(warnings.filter((line) => !/ wallets: .* and no wallets are listed/.test(line))).toEqual([]);
  }, 120_000);
}
