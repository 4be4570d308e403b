import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { SERVICES } from "../fixtures/services.ts";
import { copyCheckout, ENVIRONMENT } from "../support/checkout.ts";
import { UPSTREAMS } from "../support/operator-files.ts";
import { PlatformStandIn } from "../support/platform-stand-in.ts";
import { type Product, startProduct } from "../support/product.ts";
import { finished, runTool } from "../support/run-tool.ts";

/** Every night: with wrangler what test/unit/tools/deploy-carry-out.test.ts holds on a platform in memory. */
const nightly = test.runIf(process.env["NIGHTLY"] !== undefined);
const SECRET = "https://node.example/s3cret/v1";
const ROLLBACK = `import { withPlatform } from "./tools/deploy/platform.ts";
const options = { isImmediate: false, isVerbose: false, revision: "r", signal: new AbortController().signal };
const plan = { config: { name: "edge-api-staging" }, secrets: {} };
await withPlatform(plan, options, (platform) => platform.rollBack(process.argv[1], "it failed its checks"));`;
const GO_ON = "remove the cause and run the same command again.";

let folder: string;
let platform: PlatformStandIn;
/** Product that answers at the address with the deployed schedule, on this machine. */
let product: Product;
/** The whole record. */
let published: string[];
/** Stands for the temporary folder and the home folder of the operator. */
let own: string;

beforeAll(async () => {
  folder = copyCheckout();
  const { sample: _sample, ...schedule } = JSON.parse(readFileSync(native(), "utf8"));
  writeFileSync(native(), JSON.stringify(schedule));
  const ofSchedules = SERVICES.filter(({ file }) => file === "bucket");
  const addresses = ofSchedules.flatMap((service) => service.addresses);
  writeFileSync(join(folder, "schedule", "addresses.json"), JSON.stringify({ addresses }));
  for (const path of recordPaths()) rmSync(path, { force: true });
  expect((await runTool("schedule", ["publish", "--served"], {}, folder)).code).toBe(0);
  published = recordPaths().map((path) => readFileSync(path, "utf8"));
  const quotas = { RATE_LIMIT_DEFAULT: "10000/60", RATE_LIMIT_NODE: "10000/60" };
  product = await startProduct(quotas, { cwd: folder });
});
afterAll(() => product?.stop());
beforeEach(async () => {
  for (const path of [...recordPaths(), intentPath()]) rmSync(path, { force: true });
  platform = await new PlatformStandIn().start();
  own = mkdtempSync(join(tmpdir(), "operator-"));
  for (const name of ["tmp", "home"]) mkdirSync(join(own, name));
});
afterEach(() => platform.stop());

const native = () => join(folder, "schedule", "native.json");
const recordPaths = () => ["published.csv", "published.json"].map((name) => join(folder, "schedule", name));
const intentPath = () => join(folder, "schedule", "published.intent.json");
/** Configurations of wrangler's that a deployment has left. */
const left = () => readdirSync(folder).filter((name) => name.startsWith(".wrangler-"));
const isRecorded = () => recordPaths().every((path) => existsSync(path));

/** Runs the tool with Node's options. */
function run(args: readonly string[], variables: Record<string, string> = {}, options: { detached?: boolean } = {}) {
  const [home, tmp] = [join(own, "home"), join(own, "tmp")];
  const env = {
    ...ENVIRONMENT,
    ...platform.environment,
    NODE_URLS: SECRET,
    HOME: home,
    XDG_CONFIG_HOME: home,
    TMPDIR: tmp,
    ...variables,
  };
  return spawn("node", args, { cwd: folder, env, ...options });
}

function start(words: readonly string[] = [], variables?: Record<string, string>, options?: { detached?: boolean }) {
  const args = ["tools/main.mjs", "deploy", "--env", "staging", "--address", platform.url, ...words, ...UPSTREAMS];
  // Every part, as in the page that is built.
  return run([...args, "--var", "STABLE_ASSET:0x1::usd::USD"], variables, options);
}

async function end(child: ReturnType<typeof run>) {
  const { code, output } = await finished(child);
  return { code, output, last: `${output.split("\n").at(-1)} ` };
}

const deploy = (words?: readonly string[], variables?: Record<string, string>) => end(start(words, variables));

describe("with a version that serves", () => {
  let before: string;
  beforeEach(() => {
    before = platform.deploy();
  });
  const uploaded = () => platform.versions[1]?.id ?? "none";
  const asBefore = () => `Live now: version ${before} (as before) at 100 %.`;
  const RESTORED = "schedule/published.csv and published.json are as before.";

  test("one that is killed leaves no false record; the next one settles it, and is checked before it serves, without a trace of its secrets", async () => {
    platform.productUrl = product.url;
    const child = start([], {}, { detached: true });
    platform.fault = (seen) => {
      if (seen !== "PUT /schedules") return undefined;
      process.kill(-(child.pid ?? 0), "SIGKILL");
      return new Promise((resolve) => setTimeout(resolve, 1_000));
    };
    const { code } = await end(child);
    platform.fault = () => undefined;
    const killed = platform.versions.at(-1)?.id;
    expect([code, platform.live(), isRecorded()]).toEqual([null, [`${before}@100`, `${killed}@0`], false]);
    expect(left(), "it was in the middle").toHaveLength(2);
    const check = await runTool("schedule", ["check"], {}, folder);
    expect(check).toMatchObject({ code: 0, output: expect.stringContaining("stopped before it recorded its result") });

    platform.figuresBefore.set("/api/circulating-supply-on-chain", "482500000");
    const [visits, deployments] = [platform.visits.length, platform.deployments.length];
    const next = await deploy(["--accept-change", "--json"]);
    // The product was not built for a deployment, so its check fails; the live version itself is not checked.
    expect(next.code, next.output).toBe(4);
    expect(next.output).toContain(
      `stopped before it recorded its result: its version serves nobody (${before} serves), and nothing of it is recorded\n`,
    );
    expect(next.output).toContain(
      "13 of 14 checks passed.\nnot caused by this version, so the deployment continues: health\n",
    );
    expect(next.output).toContain("a published figure changes: /api/circulating-supply-on-chain is 482500000");
    const { id: uploaded = "none", bindings = [], assets } = platform.versions.at(-1) ?? {};
    // Every address of a service that is outside our own prefixes is led to the Worker.
    const routed = assets?.config?.run_worker_first;
    expect(routed).toEqual(expect.arrayContaining(["/api/*", "/api.dws", "/circulating", "/totalsupply"]));
    expect(routed).not.toContain("/api/circulating");
    expect(next.output).toMatch(/^ok +addresses +\d+ registered addresses, each with its figure$/m);
    const seen = platform.visits.slice(visits);
    const checked = seen.slice(0, seen.lastIndexOf(`/v1/blocks/by_height/0 ${uploaded}`) + 1);
    expect(checked.filter((visit) => !visit.endsWith(uploaded))).toEqual([]);
    expect(checked).toContain(`/api/circulating-supply ${uploaded}`);
    expect(
      platform.deployments
        .slice(0, -deployments)
        .map((shares) => shares.map(({ version_id: id, percentage }) => [id, percentage])),
    ).toEqual([
      [[uploaded, 100]],
      [
        [before, 100],
        [uploaded, 0],
      ],
    ]);
    expect(platform.live()).toEqual([`${uploaded}@100`]);
    // Standard output, which comes first here, is the result alone: what wrangler prints is on standard error.
    expect(JSON.parse(/^\{\n.*?\n\}\n/s.exec(next.output)?.[0] ?? "")).toEqual({
      exit_code: 4,
      errors: [],
      address: platform.url,
      version_id: uploaded,
      previous_version_id: before,
      failed_checks: "1 of 14 checks fail (health)",
      is_record_changed: true,
    });
    expect([isRecorded(), existsSync(intentPath())]).toEqual([true, false]);
    expect([platform.crons, platform.updates]).toEqual([
      [{ cron: "7 */6 * * *" }],
      { mode: "deferred", max_delay: 30 },
    ]);
    expect(bindings).toContainEqual({ name: "NODE_URLS", type: "secret_text", text: SECRET });
    expect(next.output).not.toContain("s3cret");
    for (const place of [own, folder]) expect(filesWith("s3cret", place)).toEqual([]);
    expect(left()).toEqual([]);
  });

  nightly(
    "one that moves a published figure beyond SUPPLY_STEP_PERCENT never serves, until that is accepted",
    async () => {
      platform.productUrl = product.url;
      platform.figuresBefore.set("/api/circulating-supply-on-chain", "482500000");
      const refused = await deploy();
      expect([refused.code, platform.live(), isRecorded()], refused.output).toEqual([1, [`${before}@100`], false]);
      expect(refused.last).toMatch(
        /figures change by more than SUPPLY_STEP_PERCENT \(1 %\): \/api\/circulating-supply-on-chain is 482500000 and would be \d+/,
      );
      expect(refused.last).toContain("; if that is intended, deploy with --accept-change; it was taken back. Live now");
      const accepted = await deploy(["--accept-change", "--immediate"]);
      expect(platform.updates).toEqual({ mode: "immediate" });
      expect(accepted.code, accepted.output).toBe(4);
      expect([platform.live(), isRecorded()]).toEqual([[`${platform.versions.at(-1)?.id}@100`], true]);
      expect(accepted.output).toContain("a published figure changes: /api/circulating-supply-on-chain is 482500000");
    },
  );

  /** The platform refuses to restore other secrets, unless it is told to. */
  function refuseOtherSecrets(): void {
    let refusals = 0;
    platform.fault = (request) =>
      request === "POST /deployments" && refusals++ === 0 ? { status: 400, code: 10220 } : undefined;
  }

  test("the one before is restored with its secrets, unasked, and every object is reset", async () => {
    platform.deploy();
    refuseOtherSecrets();
    const { code, output } = await end(run(["--input-type=module", "--eval", ROLLBACK, before]));
    expect([code, platform.live()], output).toEqual([0, [`${before}@100`]]);
    expect(platform.updates).toEqual({ mode: "immediate" });
  });

  nightly("one that answers wrongly never serves", async () => {
    const { code, output, last } = await deploy();
    expect([code, isRecorded()], output).toEqual([1, false]);
    expect(
      platform.deployments.map((shares) => shares.map(({ version_id: id, percentage }) => [id, percentage])),
    ).toEqual([
      [[before, 100]],
      [
        [before, 100],
        [uploaded(), 0],
      ],
      [[before, 100]],
    ]);
    expect(output).toMatch(/^FAIL {2}figures +\/api\/circulating-supply is not digits alone/m);
    expect(last).toMatch(/ fails its checks at http:\S+: figures, schedule, [^;]+; it was taken back\. /);
    expect(last).toContain(`${asBefore()} Version ${uploaded()} is uploaded and serves nobody.`);
  });

  nightly("where one fails while it serves, exactly the one before is restored", async () => {
    platform.deploy(["LimiterShard"]);
    const [older, newer] = platform.versions.map(({ id }) => id);
    refuseOtherSecrets();
    const { code, last } = await deploy(["--rollback-on-failure"]);
    expect([code, isRecorded(), platform.live()]).toEqual([1, false, [`${newer}@100`]]);
    expect(platform.updates).toEqual({ mode: "immediate" });
    expect(last).toContain(`it was taken back. Live now: version ${newer} (as before) at 100 %.`);
    expect(last).not.toContain(String(older));
  });

  test("changes made elsewhere are not overwritten", async () => {
    platform.lastDeployedFrom = "dash";
    platform.addedBindings = [{ type: "plain_text", name: "COLOUR", text: "red" }];
    const { code, output, last } = await deploy();
    expect([code, isRecorded(), platform.versions.length]).toEqual([1, false, 1]);
    expect(output).toMatch(/-.*COLOUR: "red"/);
    expect(output, "what nobody has changed").not.toContain("crons");
    expect(last).toContain(
      "was changed on the dashboard or through the API (wrangler lists the changes above): undo them there",
    );
    expect(last).toContain(`${asBefore()} Nothing was uploaded.`);
  });

  test("an open gradual deployment is not touched", async () => {
    platform.deployments.unshift([25, 75].map((percentage) => ({ version_id: `v${percentage}`, percentage })));
    const { code, last } = await deploy();
    expect([code, isRecorded(), platform.live()]).toEqual([1, false, ["v25@25", "v75@75"]]);
    expect(last).toContain(
      "a gradual deployment of edge-api-staging is open: v25 at 25 %, v75 at 75 %. Nothing was changed.",
    );
  });

  nightly(
    "one that is killed while its version serves is recorded by the next one, which then has nothing to add",
    async () => {
      platform.productUrl = product.url;
      const child = start([], {}, { detached: true });
      platform.fault = (seen) => {
        if (seen !== "POST /deployments" || platform.deployments.length < 2) return undefined;
        process.kill(-(child.pid ?? 0), "SIGKILL");
        return undefined;
      };
      await end(child);
      platform.fault = () => undefined;
      expect([platform.live(), isRecorded()]).toEqual([[`${uploaded()}@100`], false]);
      const next = await deploy();
      expect(next.output).toContain(
        `its version ${uploaded()} serves, and schedule/published.* record it: commit them\n`,
      );
      expect(next.last).toContain(`before it ${uploaded()}; nothing new was recorded`);
      expect([next.code, isRecorded(), existsSync(intentPath())]).toEqual([4, true, false]);
    },
  );

  nightly("SIGHUP at its end leaves the one before, its record, no file and a word on it", async () => {
    for (const [index, path] of recordPaths().entries()) writeFileSync(path, published[index] ?? "");
    const schedule = readFileSync(native(), "utf8");
    writeFileSync(native(), schedule.replace('"revision":1', '"revision":2'));
    const child = start();
    let intended = "";
    platform.fault = (seen) => {
      if (seen !== "PUT /schedules") return undefined;
      intended = readFileSync(intentPath(), "utf8");
      child.kill("SIGHUP");
      return new Promise((resolve) => setTimeout(resolve, 3_000));
    };
    const { code, last } = await end(child).finally(() => writeFileSync(native(), schedule));
    expect(intended, "what it would have served was to be recorded").toContain('\\"revision\\": 2');
    expect(recordPaths().map((path) => readFileSync(path, "utf8"))).toEqual(published);
    expect([code, platform.live()[0]]).toEqual([1, `${before}@100`]);
    expect(last).toContain(`deploy: interrupted by SIGHUP. ${asBefore()}`);
    expect(last).toContain(`${RESTORED} Next: ${GO_ON}`);
    for (const place of [own, folder]) expect(filesWith("s3cret", place)).toEqual([]);
    expect(left()).toEqual([]);
  });

  test("SIGTERM while the platform's first answer hangs ends it, with a message", async () => {
    const child = start();
    platform.fault = () => {
      child.kill("SIGTERM");
      return new Promise(() => undefined);
    };
    const { code, last } = await end(child);
    expect([code, isRecorded(), platform.versions.length]).toEqual([1, false, 1]);
    expect(last).toContain("interrupted by SIGTERM. Nothing was uploaded, nothing was recorded. Next: run the same");
  });

  nightly("SIGTERM while a later answer hangs ends it too", async () => {
    const child = start();
    platform.fault = (seen) => {
      if (platform.requests.length < 3) return undefined;
      if (seen !== "") child.kill("SIGTERM");
      return new Promise(() => undefined);
    };
    const { code, last } = await end(child);
    expect(code).toBe(1);
    expect(last).toContain("interrupted by SIGTERM. What is live is not known.");
  });
});

/** Variables that the platform's own builds set: who deploys, and which Worker the repository is connected to. */
const WORKERS_BUILDS = {
  CI: "true",
  WORKERS_CI: "1",
  WORKERS_CI_BRANCH: "main",
  WRANGLER_CI_OVERRIDE_NAME: "edge-api-production",
  WRANGLER_CI_MATCH_TAG: "tag",
};
const [, BUILDS_COMMAND = ""] =
  /^\| Deploy command +\| `(.+?)` /m.exec(readFileSync("docs/operations.md", "utf8")) ?? [];

describe("the deploy command of Workers Builds, as operations.md has it", () => {
  /** Runs as in a build: with its token and account, and without a terminal. */
  async function build(variables: Record<string, string> = {}) {
    const words = [BUILDS_COMMAND, "--address", platform.url, ...UPSTREAMS, "--var", "STABLE_ASSET:0x1::usd::USD"];
    const env = { ...ENVIRONMENT, ...platform.environment, ...WORKERS_BUILDS, HOME: own, XDG_CONFIG_HOME: own };
    const child = spawn("sh", ["-c", words.join(" ")], {
      cwd: folder,
      env: { ...env, NODE_URLS: SECRET, ...variables },
    });
    child.stdin.end();
    return await finished(child);
  }

  nightly("deploys and checks without a terminal, by the token that it is given", async () => {
    const before = platform.deploy();
    platform.productUrl = product.url;
    const { code, output } = await build();
    const uploaded = platform.versions[1]?.id;
    // The product was not built for a deployment, so its check fails.
    expect(code, output).toBe(4);
    expect(output).toMatch(/^deployed, but 1 of \d+ checks fail \(health\): /m);
    expect(output).toContain(`: ${platform.url}: version ${uploaded}`);
    expect([platform.live(), before === uploaded]).toEqual([[`${uploaded}@100`], false]);
  });

  nightly("is refused where the repository is connected to another Worker", async () => {
    const before = platform.deploy();
    const { code, output } = await build({ WRANGLER_CI_MATCH_TAG: "another" });
    expect([code, platform.live(), platform.versions.length], output).toEqual([1, [`${before}@100`], 1]);
    expect(output).toContain("must match the name of your Worker");
  });
});

/** The test in quickstart.test.ts shows that it serves at once and is then checked. */
describe("the first deployment", () => {
  const only = () => platform.versions.at(-1)?.id;
  const NO_WAY_BACK = "Next: there is no version before it to go back to";

  nightly("is live, and says so, when the answer to the upload is lost", async () => {
    platform.fault = (seen) => (seen === "PUT " ? { status: 500, code: 10013, isLate: true } : undefined);
    const { code, last } = await deploy(["--rollback-on-failure"]);
    expect([code, isRecorded(), platform.live()]).toEqual([1, true, [`${only()}@100`]]);
    expect(last).toContain(`Live now: version ${only()} (this deployment's) at 100 %.`);
    expect(last).toContain(`record what it serves: commit them. ${NO_WAY_BACK}`);
  });

  test("without nodes is refused before anything is uploaded", async () => {
    const { code, last } = await deploy([], { NODE_URLS: "" });
    expect([code, platform.versions]).toEqual([1, []]);
    expect(last).toContain("[env.staging] NODE_URLS is empty");
  });
});

const notSaid = async (fault: ReturnType<PlatformStandIn["fault"]>, variables: Record<string, string> = {}) => {
  platform.deploy();
  platform.fault = () => fault;
  const { code, output, last } = await deploy([], { NODE_URLS: "", ...variables });
  expect([code, isRecorded(), platform.versions.length]).toEqual([1, false, 1]);
  expect(last).toContain("the platform does not say what is live (wrangler's reason is above). Nothing was uploaded");
  expect(last).toContain("Next: log in again");
  expect(output).not.toMatch(/^\s+at /m);
  expect(output).not.toContain("NODE_URLS");
};

test("with an expired token nothing is done, and no setting is reported", () => notSaid({ status: 401, code: 10000 }));
nightly("nor in an outage", () => notSaid({ status: 503, code: 10013 }));
nightly("nor without a token", () => notSaid(undefined, { CLOUDFLARE_API_TOKEN: "" }));

/** Paths of the files below the folder that contain the text. */
function filesWith(searched: string, place: string): string[] {
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && !entry.parentPath.includes("/test") && !entry.parentPath.includes("node_modules"),
    )
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path, "latin1").includes(searched));
}
