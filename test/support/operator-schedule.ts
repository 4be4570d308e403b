import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scheduleView } from "../../src/supply/representations.ts";
import { copyCheckout } from "./checkout.ts";
import { pageSchedule } from "./page-states.ts";
import { type Product, startProduct } from "./product.ts";

/** The setting that a dry run of a deployment requires, beside {@link SECRETS}. */
export const UPSTREAMS = ["--var", "RATES_URL:https://rates.example/pools"];
// The test runner itself sets BASE_URL, which would make a run within this one test a deployment.
const { SCHEDULE_FOLDER: _schedule, BASE_URL: _base, ...environment } = process.env;
/** An operator's environment: without what this run of the tests has added. */
export const ENVIRONMENT = environment;
/** The secret that a deployment requires. */
export const SECRETS = { NODE_URLS: "https://node.example/v1" };

/** Tests that replace the sample by another network's schedule, in unusual formatting, and run all tools with it. */
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
    writeFileSync(native, JSON.stringify({ ...JSON.parse(readFileSync(native, "utf8")), $schema: "./schema.json" }));
    rmSync(join(folder, "schedule", "published.csv"));
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

  test("passes the doctor and the smoke suite", () => {
    const doctor = run("doctor", product.url);
    // The embedded chain is not that network's: its decimals and total differ, which only health reports.
    const findings = doctor.output.trim().split("\n").slice(0, -1);
    expect(
      findings.filter((line) => !/^health: health says (decimals_differ|circulating_above_total)/.test(line)),
    ).toEqual([]);
    const smoke = run("smoke", product.url);
    expect(smoke.status, smoke.output).toBe(0);
  }, 240_000);

  test("passes the linter, which ignores an operator's files", () => {
    const words = ["check", "--error-on-warnings", "--vcs-enabled=false", "schedule"];
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

  test("passes a dry run of a deployment, without a warning", () => {
    const { status, output: printed } = run("deploy", "--env", "staging", "--dry-run", ...UPSTREAMS);
    expect(status, printed).toBe(0);
    expect(printed).not.toMatch(/warning|▲|✘|sample data/i);
  }, 120_000);
}
