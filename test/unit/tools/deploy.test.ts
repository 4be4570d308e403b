import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { chainsOf } from "../../../src/families/token-chain.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { parseArguments } from "../../../tools/deploy/arguments.ts";
import { missingAddress, planDeployment, withBuild } from "../../../tools/deploy/plan.ts";
import { failureText } from "../../../tools/deploy/platform.ts";
import { gitRevision } from "../../../tools/deploy/revision.ts";
import { type FinalState, finalStateText } from "../../../tools/deploy/state.ts";
import { type VerifyPorts, waitForVersion } from "../../../tools/deploy/verify.ts";
import { callsOfReading, cappedListingLength, freePlanProblems } from "../../../tools/free-plan.ts";
import { ALL_PARTS, partsOf, partsWithout } from "../../../tools/lib/parts.ts";
import { scheduleWarnings } from "../../../tools/schedule/warnings.ts";
import { addressOf } from "../../../tools/wrangler-file.ts";
import native from "../../fixtures/schedule/native.json" with { type: "json" };
import { tokenChain } from "../../support/token-chain.ts";
import { valid, wallet } from "../supply/schedules.ts";

const VARS = {
  BUILD_REVISION: "local",
  NODE_URLS: "",
  RATES_URL: "",
  STABLE_ASSET: "",
  CHAIN_ID: "4",
  RATE_LIMIT_NODE: "300/60",
};
const FILE = {
  name: "edge",
  main: "src/worker.ts",
  vars: VARS,
  services: [{ binding: "NODE", service: "devnode" }],
  env: {
    staging: {
      name: "edge-staging",
      secrets: { required: ["NODE_URLS"] },
      vars: { ENVIRONMENT: "staging", RATES_URL: "", CHAIN_ID: "4", RATE_LIMIT_NODE: "300/60" },
    },
  },
};
const BASE_TOKEN = `0x${"c1".repeat(20)}`;
const FIRST = { revision: "abc-dirty", isDeployed: false };
const UPSTREAMS = { NODE_URLS: "https://node.example/key/v1", RATES_URL: "https://rates.example/pools" };

describe("a plan", () => {
  test("is of one environment, with every secret removed from the settings", () => {
    const given = { ...UPSTREAMS, NODE_API_KEY: "key-of-a", RATE_LIMIT_NODE: "10/1" };
    const planned = planDeployment(FILE, "staging", given, FIRST);
    if (planned.kind !== "plan") throw new Error(planned.problems.join());
    expect(planned.plan).toEqual({
      settings: expect.objectContaining({ plan: "paid", servesNode: true }),
      config: {
        name: "edge-staging",
        main: "src/worker.ts",
        secrets: { required: ["NODE_URLS"] },
        vars: {
          ENVIRONMENT: "staging",
          CHAIN_ID: "4",
          RATES_URL: UPSTREAMS.RATES_URL,
          RATE_LIMIT_NODE: "10/1",
          BUILD_REVISION: "abc-dirty",
          DEPLOYMENT: "edge-staging",
        },
      },
      secrets: { NODE_URLS: UPSTREAMS.NODE_URLS, NODE_API_KEY: "key-of-a" },
    });
  });

  test("a secret that wrangler.toml has as a setting is removed from the settings", () => {
    const section = { ...FILE.env.staging, vars: { ...FILE.env.staging.vars, ...UPSTREAMS } };
    const planned = planDeployment({ ...FILE, env: { staging: section } }, "staging", {}, FIRST);
    if (planned.kind !== "plan") throw new Error(planned.problems.join());
    expect(planned.plan.secrets).toEqual({ NODE_URLS: UPSTREAMS.NODE_URLS });
    expect(JSON.stringify(planned.plan.config)).not.toContain("node.example");
  });

  test("the deployed Worker's stored nodes need not be given again", () => {
    const given = { RATES_URL: UPSTREAMS.RATES_URL };
    const planned = planDeployment(FILE, "staging", given, { ...FIRST, isDeployed: true });
    expect(planned).toMatchObject({ kind: "plan", plan: { secrets: {} }, notes: [] });
    const keyed = planDeployment(
      FILE,
      "staging",
      { ...given, NODE_API_KEY: "key-of-a,key-of-b" },
      { ...FIRST, isDeployed: true },
    );
    expect(keyed.kind, "the stored nodes may be two").toBe("plan");
    const address = { ...given, NODE_URLS: "https://a.node.example/{key}/v1,https://b.node.example/{key}/v1" };
    const plan = (isDeployed: boolean) => planDeployment(FILE, "staging", address, { ...FIRST, isDeployed }).kind;
    expect([plan(true), plan(false)], "the stored keys too").toEqual(["plan", "problems"]);
  });

  test("uploads its own build, whatever wrangler.toml builds", () => {
    const config = {
      build: { command: "build" },
      main: "dist/worker.js",
      assets: { directory: "dist/page", binding: "A" },
    };
    expect(withBuild(config, "dist/builds/1a")).toEqual({
      main: "dist/builds/1a/worker.js",
      assets: { directory: "dist/builds/1a/page", binding: "A" },
    });
  });

  test("builds the page of what the deployment has, and the settings say what it does without", () => {
    const built = { build: { command: "build" }, assets: { directory: "dist/page", binding: "ASSETS" } };
    const plan = (vars: object, given: Readonly<Record<string, string>>) => {
      const section = { ...FILE.env.staging, vars: { ...FILE.env.staging.vars, ...vars } };
      return planDeployment({ ...FILE, ...built, env: { staging: section } }, "staging", given, FIRST);
    };
    const partsIn = (vars: object, given: Readonly<Record<string, string>>) => {
      const planned = plan(vars, given);
      if (planned.kind !== "plan") throw new Error(planned.problems.join());
      return partsOf(planned.plan.settings);
    };
    const withoutText = "chain,node,stableToken,staking,yields";
    expect(partsIn({ NODE_URLS: "none", RATES_URL: "none", CHAIN_ID: "" }, {})).toEqual(partsWithout(withoutText));
    expect(partsIn({}, { ...UPSTREAMS, STABLE_ASSET: "0x5" })).toEqual({
      ...ALL_PARTS,
      chains: [tokenChain({ chainId: 4 })],
    });
    const evm = { CHAIN_FAMILY: "evm", NATIVE_ASSET: `0x${"c0".repeat(20)}`, CHAIN_ID: "42161", RATES_URL: "none" };
    expect(partsIn(evm, { NODE_URLS: "https://a.example,https://b.example/rpc" })).toMatchObject({
      chain: true,
      node: false,
      stableToken: false,
      staking: false,
      yields: false,
      chains: [{ family: "evm", asset: { text: evm.NATIVE_ASSET } }],
    });
    expect(
      partsIn({ NATIVE_ASSET: "0xa::pool::Share<0xb::b::B>" }, { ...UPSTREAMS, STABLE_ASSET: "0x5" }),
    ).toMatchObject({ chains: [{ asset: { text: "0xa::pool::Share<0xb::b::B>" } }] });
    expect(plan({ RATES_URL: "none" }, { NODE_URLS: "none" })).toMatchObject({
      problems: [expect.stringContaining('write NODE_URLS = "none" under [env.staging.vars]')],
    });
    expect(plan({ NODE_URLS: "none" }, UPSTREAMS)).toMatchObject({
      problems: [expect.stringContaining("is none under [env.staging.vars]: delete one of them")],
    });
  });

  test("with one node a note says that figures rest on it alone", () => {
    const notes = (urls: string) => {
      const planned = planDeployment(FILE, "staging", { ...UPSTREAMS, NODE_URLS: urls }, FIRST);
      return planned.kind === "plan" ? planned.notes : planned.problems;
    };
    expect(notes("https://a.example/v1")).toEqual([expect.stringContaining("name nodes of two operators")]);
    expect(notes("https://a.example/v1,https://b.example/v1")).toEqual([]);
  });

  test("of the free plan has no processor limit", () => {
    const section = { ...FILE.env.staging, limits: { cpu_ms: 2000 } };
    const file = { ...FILE, vars: { ...VARS, PLAN: "paid" }, env: { staging: section } };
    const limitsOn = (PLAN: string) => {
      const planned = planDeployment(file, "staging", { ...UPSTREAMS, PLAN }, FIRST);
      return planned.kind === "plan" ? planned.plan.config["limits"] : planned.problems;
    };
    expect([limitsOn("paid"), limitsOn("free")]).toEqual([{ cpu_ms: 2000 }, undefined]);
  });

  test.each<[string, Record<string, string>, string]>([
    ["no nodes", { NODE_URLS: "" }, "give it as an environment variable or in --secrets-file"],
    [
      "a misspelled setting",
      { RATE_LIMT_NODE: "1/1" },
      "RATE_LIMT_NODE is not a setting; the settings are ALERT_WEBHOOK",
    ],
    ["plain http", { NODE_URLS: "http://node.example/v1" }, "NODE_URLS has a URL that is not https"],
    ["http for the listing", { RATES_URL: "http://rates.example/p" }, "RATES_URL has a URL that is not https"],
    ["localhost", { NODE_URLS: "https://localhost/v1" }, "NODE_URLS has a URL inside a private network"],
    ["a private IPv4", { NODE_URLS: "https://10.0.0.7/v1" }, "inside a private network"],
    ["a private 172 address", { NODE_URLS: "https://172.20.0.7/v1" }, "inside a private network"],
    ["a private IPv6", { NODE_URLS: "https://[fd00::1]/v1" }, "inside a private network"],
    ["a mapped IPv4", { NODE_URLS: "https://[::ffff:10.0.0.7]/v1" }, "inside a private network"],
    ["an internal name", { RATES_URL: "https://rates.internal/p" }, "inside a private network"],
    ["the second of two", { NODE_URLS: "https://a.example/v1,https://node/v1" }, "inside a private network"],
    ["a webhook by http", { ALERT_WEBHOOK: "http://h.example/x" }, "ALERT_WEBHOOK has a URL that is not https"],
    ["a monitor by http", { HEARTBEAT_URL: "http://monitor.example/b" }, "HEARTBEAT_URL has a URL that is not https"],
    [
      "more keys than nodes",
      { NODE_API_KEY: "key-of-a,key-of-b" },
      "NODE_API_KEY has more keys than NODE_URLS has nodes",
    ],

    ["an invalid limit", { RATE_LIMIT_NODE: "0/0" }, "RATE_LIMIT_NODE must be quota/seconds"],
  ])("%s is refused", (_what, given, problem) => {
    const planned = planDeployment(FILE, "staging", { ...UPSTREAMS, ...given }, FIRST);
    expect(planned).toEqual({ kind: "problems", problems: [expect.stringContaining(problem)] });
  });

  test("with a node of a further chain by http is refused", () => {
    const further = tokenChain({
      id: "base",
      family: "evm",
      chainId: 8453,
      asset: { kind: "erc20", text: BASE_TOKEN },
    });
    const given = { ...UPSTREAMS, NODE_URLS_BASE: "http://b.example,https://c.example" };
    const planned = planDeployment(FILE, "staging", given, { ...FIRST, chains: [further] });
    expect(planned).toMatchObject({
      problems: [expect.stringContaining("NODE_URLS_BASE has a URL that is not https")],
    });
  });

  const PRIVATE = ["0.0.0.0", "127.0.0.2", "169.254.169.254", "172.16.0.1", "172.31.0.1", "192.168.1.1", "100.64.0.1"];
  const PUBLIC = ["172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1", "192.169.0.1", "[2001:db8::1]"];
  test.each([
    ...[...PRIVATE, "100.127.0.1", "[::1]", "[::]", "[fe80::1]", "[feb0::1]", "[fc00::1]"].map(
      (host) => [host, true] as const,
    ),
    ...PUBLIC.map((host) => [host, false] as const),
  ])("with a node at %s is refused: %s", (host, isRefused) => {
    const planned = planDeployment(FILE, "staging", { ...UPSTREAMS, NODE_URLS: `https://${host}/v1` }, FIRST);
    const refusal = { kind: "problems", problems: [expect.stringContaining("inside a private network")] };
    expect(planned).toMatchObject(isRefused ? refusal : { kind: "plan" });
  });

  test.each([
    [500, {}, null],
    [500, { RATE_LIMIT_NODE: "60/1" }, 660],
    // The Worker's own quotas: 60 and 300 in 60 s.
    [5, { RATE_LIMIT_NODE: "" }, 360],
    [5, { RATE_LIMIT_DEFAULT: "1/60", RATE_LIMIT_NODE: "4/60" }, null],
  ])("a coarse limit of %i in 10 s with the quotas %j is refused, which admit %s", (limit, given, admitted) => {
    const ratelimits = [{ name: "FLOOD_CALLER", namespace_id: "1", simple: { limit, period: 10 } }];
    const section = { ...FILE.env.staging, vars: { ENVIRONMENT: "staging", CHAIN_ID: "4" }, ratelimits };
    const file = { ...FILE, vars: { ...VARS, RATE_LIMIT_DEFAULT: "60/60" }, env: { staging: section } };
    const planned = planDeployment(file, "staging", { ...UPSTREAMS, ...given }, FIRST);
    const problem = `the rate limit FLOOD_CALLER allows ${limit} in 10 s, but RATE_LIMIT_DEFAULT and RATE_LIMIT_NODE admit ${admitted}; raise it`;
    expect(planned).toMatchObject(admitted === null ? { kind: "plan" } : { kind: "problems", problems: [problem] });
  });

  test("a deployment under another name has metrics of its own", () => {
    const section = {
      name: "edge-api-other",
      analytics_engine_datasets: [{ binding: "METRICS", dataset: "edge_api" }],
    };
    const planned = planDeployment({ ...FILE, env: { staging: section } }, "staging", UPSTREAMS, FIRST);
    expect(planned).toMatchObject({
      plan: { config: { analytics_engine_datasets: [{ binding: "METRICS", dataset: "edge_api_other" }] } },
    });
  });

  test("the coarse limits of each deployment have counters of their own", () => {
    const ratelimits = ["A", "B"].map((name) => ({ name, namespace_id: "1", simple: { limit: 500, period: 10 } }));
    const idsOf = (name: string) => {
      const planned = planDeployment({ ...FILE, env: { staging: { name, ratelimits } } }, "staging", UPSTREAMS, FIRST);
      if (planned.kind !== "plan") throw new Error(planned.problems.join());
      return (planned.plan.config["ratelimits"] as typeof ratelimits).map(({ namespace_id }) => namespace_id);
    };
    const ids = [...idsOf("one"), ...idsOf("two")];
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^[1-9]\d{0,9}$/);
    expect(idsOf("one")).toEqual(ids.slice(0, 2));
  });

  test("no refusal repeats a URL, which may contain a key", () => {
    const planned = planDeployment(FILE, "staging", { ...UPSTREAMS, NODE_URLS: "http://n.example/s3cret/v1" }, FIRST);
    expect(JSON.stringify(planned)).not.toContain("s3cret");
  });
});

describe("the free plan", () => {
  const callsOf = (schedule: Schedule) => callsOfReading(schedule, chainsOf(schedule, {}));
  const problemsOf = (wanted: Omit<Parameters<typeof freePlanProblems>[0], "chains">) =>
    freePlanProblems({ ...wanted, chains: chainsOf(wanted.schedule, {}) });
  /** The sample, and wallets of the treasury until one node is asked for so many reads of wallets. */
  const withReads = (reads: number) => {
    const added = Array.from({ length: 6 + reads - callsOf(valid({ ...native, wallets: [] })) }, (_, index) =>
      wallet(`0x${index + 1}`, { category: "treasury" }),
    );
    return valid({ ...native, wallets: added });
  };
  const FITS = { schedule: withReads(16), servesNode: false, readsChain: true, listingBytes: 65_536 };

  test("has 16 reads of wallets, a listing of 64 KiB, and no node gateway", () => {
    expect(problemsOf(FITS)).toEqual([]);
    expect(problemsOf({ ...FITS, listingBytes: null })).toEqual([]);
    expect(problemsOf({ ...FITS, schedule: withReads(90), readsChain: false })).toEqual([]);
  });

  test.each([
    [{ schedule: withReads(17) }, "takes 23 calls at each of two nodes"],
    [{ servesNode: true }, "NODE_GATEWAY is on"],
    [{ listingBytes: 65_537 }, "RATES_URL has a listing of more than 64 KiB"],
  ])("refuses what does not fit, and names the plan that has it", (change, problem) => {
    const problems = problemsOf({ ...FITS, ...change });
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems[0]).toContain('PLAN = "paid"');
  });

  const evmChain = (index: number) => ({
    id: `c${index}`,
    family: "evm",
    chain_id: index + 1,
    asset: `0x${"c0".repeat(20)}`,
    supply: "issued",
  });
  /** That many further EVM chains, and so many wallets on the first of them. */
  const withChains = (count: number, wallets = 0) =>
    valid({
      ...native,
      ...(count > 0 && { chains: Array.from({ length: count }, (_, index) => evmChain(index)) }),
      wallets: Array.from({ length: wallets }, (_, index) =>
        wallet(`0x${(index + 1).toString(16).padStart(40, "0")}`, { chain: "c0", category: "treasury" }),
      ),
    });

  test("counts four calls for an EVM chain, also without a wallet there", () => {
    const [none, empty, one, many] = [withChains(0), withChains(1), withChains(1, 1), withChains(1, 256)];
    const calls = [none, empty, one, many].map(callsOf);
    expect(calls.map((each) => each - (calls[0] ?? 0))).toEqual([0, 4, 4, 4]);
  });

  test.each<[string, number, Readonly<Record<string, number>>, string | null]>([
    ["two Move nodes: none", 16, { native: 2 }, null],
    ["one: none", 16, { native: 1 }, null],
    ["a third one", 16, { native: 3 }, "takes 22 calls at each of two nodes and 1 at the others"],
    ["a third one, with a wallet less", 15, { native: 3 }, null],
    ["five, with a wallet less", 15, { native: 5 }, "takes 21 calls at each of two nodes and 3 at the others"],
  ])("counts the probes of %s", (_what, reads, nodes, problem) => {
    const problems = problemsOf({ ...FITS, schedule: withReads(reads), nodes });
    expect(problems).toEqual(problem === null ? [] : [expect.stringContaining(problem)]);
  });

  test("counts two probes of each further node of an EVM chain", () => {
    const problemsWith = (count: number) =>
      problemsOf({ ...FITS, schedule: withChains(1), nodes: { native: 2, c0: count } });
    const [most = 0] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].filter((count) => problemsWith(count).length > 0);
    const room = 44 - 2 * callsOf(withChains(1));
    expect(most).toBe(3 + Math.floor(room / 2));
  });

  test("measures a listing no further than it has to", async () => {
    const chunk = new Uint8Array(100_000);
    let sent = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        sent += 1;
        controller.enqueue(chunk);
      },
    });
    const served = (body: BodyInit, status = 200) =>
      cappedListingLength("https://x", async () => new Response(body, { status }));
    expect([await served("[]"), await served("no", 500)]).toEqual([2, null]);
    expect(await served(endless)).toBeGreaterThan(65_536);
    expect(sent).toBeLessThan(5);
  });

  test("is reported as too small by the check of a schedule with more wallets", () => {
    const said = (reads: number) =>
      scheduleWarnings(withReads(reads), Date.UTC(2026, 10, 23)).filter(({ message }) => /free plan/.test(message));
    expect(said(16)).toEqual([]);
    expect(said(17)).toEqual([{ path: "wallets", message: expect.stringContaining("need 23 node calls per reading") }]);
  });
});

/** A file of its own folder that only its owner can read. */
function secretsFile(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "secrets-")), "secrets");
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

describe("the command line", () => {
  test.each([
    [["--env", "prod"], "--env must be one of staging, production"],
    [[], "--env must be one of staging, production"],
    [["--env", "staging", "--var", "NODE_URLS"], "--var takes NAME:VALUE"],
    [["--environment", "staging"], "usage:"],
    [["--env", "staging", "--address", "http://x.example"], "--address takes an https:// address"],
    [["--env", "staging", "--var", "NODE_URLS:https://n.example/v1"], "NODE_URLS is a secret: give it as an environ"],
    [["--env", "staging", "--secrets-file", "none"], "--secrets-file none cannot be read: ENOENT"],
  ])("%j is refused", (words, problem) => {
    expect(() => parseArguments(words)).toThrow(problem);
  });

  test.each([
    [[], false],
    [["--immediate"], true],
  ])("objects are updated at once only if that is asked for: %j", (words, isImmediate) => {
    expect(parseArguments(["--env", "staging", ...words])).toMatchObject({ isImmediate });
  });

  test("a value may contain colons", () => {
    const words = ["--env", "staging", "--var", "RATES_URL:https://n.example:8443/p", "--rollback-on-failure"];
    expect(parseArguments(words)).toMatchObject({
      settings: { RATES_URL: "https://n.example:8443/p" },
      rollbackOnFailure: true,
      dryRun: false,
    });
  });

  test("secrets are the variables of their names, or the file's alone", () => {
    const variables = { NODE_URLS: "https://a.example/v1", ALERT_WEBHOOK: "", HOME: "/root" };
    expect(parseArguments(["--env", "staging"], variables).settings).toEqual({ NODE_URLS: "https://a.example/v1" });
    const file = secretsFile("NODE_API_KEY=k=1\n");
    const words = ["--env", "staging", "--secrets-file", file];
    expect(parseArguments(words, variables).settings).toEqual({ NODE_API_KEY: "k=1" });
  });

  test.each([
    ["JSON", '{"NODE_API_KEY":"s3cret"}'],
    ["JSON whose value has a =", '{"NODE_API_KEY":"s3cret="}'],
    ["YAML whose value has a =", "NODE_API_KEY: s3cret=="],
    ["nothing", "# later\n"],
    ["one line without =", "NODE_URLS=https://a.example/v1\nNODE_API_KEY s3cret\n"],
    ["one name twice", "NODE_API_KEY=s3cret\nNODE_API_KEY=s3cret2\n"],
  ])("secrets in a file of %s are refused, and nothing of it is printed", (_form, text) => {
    const file = secretsFile(text);
    const refused = () => parseArguments(["--env", "staging", "--secrets-file", file]);
    expect(refused).toThrow(`--secrets-file ${file} must have lines NAME=value, and only these`);
    expect(refused).not.toThrow("s3cret");
  });

  test("a byte order mark before the first secret is not part of its name", () => {
    const file = secretsFile("\uFEFFNODE_API_KEY=k\r\n");
    expect(parseArguments(["--env", "staging", "--secrets-file", file]).settings).toEqual({ NODE_API_KEY: "k" });
  });

  test("a name in the file that is no secret is refused", () => {
    const words = ["--env", "staging", "--secrets-file", secretsFile("loglevel=error\n")];
    expect(() => parseArguments(words)).toThrow("--secrets-file has loglevel, which is not a secret; secrets are");
  });

  test.each([
    ["its group can read", 0o640],
    ["everybody can read", 0o644],
  ])("a file of secrets that %s is refused with the command that repairs it", (_who, mode) => {
    const file = secretsFile("NODE_API_KEY=s3cret\n");
    chmodSync(file, mode);
    const refused = () => parseArguments(["--env", "staging", "--secrets-file", file]);
    expect(refused).toThrow(`--secrets-file ${file} can be read by other users; run: chmod 600 ${file}`);
    expect(refused).not.toThrow("s3cret");
  });

  test("a file of secrets that git would add is refused, one that git ignores is read", () => {
    const file = secretsFile("NODE_API_KEY=k\n");
    const words = ["--env", "staging", "--secrets-file", file];
    expect(spawnSync("git", ["init", "--quiet"], { cwd: dirname(file) }).status).toBe(0);
    expect(() => parseArguments(words)).toThrow(
      `--secrets-file ${file} is in a work tree, and git does not ignore it; move it outside`,
    );
    writeFileSync(join(dirname(file), ".gitignore"), "secrets\n");
    expect(parseArguments(words).settings).toEqual({ NODE_API_KEY: "k" });
  });
});

test.each<[Record<string, unknown>, string[], string | null]>([
  [{ routes: [{ pattern: "api.example.org", custom_domain: true }] }, ["https://w.dev"], "https://api.example.org"],
  [{ routes: ["zone.example/*"] }, ["https://e.sub.workers.dev"], "https://e.sub.workers.dev"],
  [{}, ["schedule: 7 * * * *", "https://e.sub.workers.dev"], "https://e.sub.workers.dev"],
  [{}, [], null],
])("%j reported as %j answers at %s", (config, reported, address) => {
  expect(addressOf(config, reported)).toBe(address);
});

describe("after a deployment", () => {
  const TARGET = { address: "https://e.example", versionId: "new", override: null };

  /** A deployment whose health comes from these versions, one per request; the last one is repeated. */
  function world(versions: readonly unknown[]) {
    let nowMs = 0;
    const asked: (string | null)[] = [];
    const printed: string[] = [];
    const ports: VerifyPorts = {
      fetch: async (input, init) => {
        expect(String(input)).toBe("https://e.example/api/health");
        asked.push(new Headers(init?.headers).get("Cloudflare-Workers-Version-Overrides"));
        const body = versions[Math.min(asked.length, versions.length) - 1];
        if (body === undefined) throw new TypeError("no connection");
        return new Response(JSON.stringify(body), { status: 503 });
      },
      now: () => nowMs,
      pause: async (milliseconds) => {
        nowMs += milliseconds;
      },
      figures: async () => new Map(),
      examine: async () => [],
      print: (line) => printed.push(line),
    };
    return { ports, printed, asked };
  }
  const of = (version: string) => ({ build_revision: "the same commit", version_id: version });

  test("it waits for the version itself, though another one has the same commit", async () => {
    const { ports, asked } = world([of("old"), of("old"), of("new")]);
    await waitForVersion({ ...TARGET, override: 'edge="new"' }, 180_000, ports);
    expect(asked).toEqual(['edge="new"', 'edge="new"', 'edge="new"']);
  });

  test.each([
    ["the version before", of("old"), "old"],
    ["a refusal to start", { message: "NODE_URLS is empty" }, "status 503 without a version: NODE_URLS is empty"],
    ["no connection", undefined, "nothing (no connection)"],
  ])("%s that stays is reported, meanwhile and at the end", async (_what, answer, seen) => {
    const { ports, printed } = world([answer]);
    await expect(waitForVersion(TARGET, 180_000, ports)).rejects.toThrow(
      `after 180 s https://e.example still answers ${seen}, not version new`,
    );
    expect(printed[0]).toBe(`waiting: https://e.example answers ${seen}, not yet version new`);
  });
});

test.each([
  [
    "the free plan",
    { code: 100328, message: "no limits" },
    null,
    'write PLAN = "free" into this environment\'s settings',
  ],
  ["somebody's change", null, null, "undo them there, or write them into wrangler.toml"],
  ["another error", { code: 10013, message: "no" }, null, "the upload failed"],
  ["an error after the upload", null, "new", "the upload failed"],
])("an upload that %s has stopped says what to do", (_what, error, versionId, said) => {
  expect(failureText({ error, versionId })).toContain(said);
});

describe("the final report of a deployment", () => {
  const KNOWN = { name: "edge", before: "old", uploaded: "new", now: [{ id: "old", percentage: 100 }] } as const;

  test.each<[string, Partial<FinalState>, string[]]>([
    [
      "nothing new serves",
      {},
      ["version old (as before) at 100 %", "new is uploaded and serves nobody", "run the same"],
    ],
    [
      "nothing was uploaded",
      { uploaded: null },
      ["Nothing was uploaded.", "remove the cause and run the same command"],
    ],
    [
      "it serves, and what it serves is recorded",
      { now: [{ id: "new", percentage: 100 }], record: "kept" },
      ["commit them", "`npx wrangler rollback old --name edge`, then `git checkout schedule/published.*`, goes back"],
    ],
    [
      "it is the first",
      { before: null, now: [{ id: "new", percentage: 100 }] },
      ["there is no version before it to go back to", "`npx wrangler delete --name edge`"],
    ],
    ["nothing is live", { before: null, uploaded: null, now: null }, ["Nothing is live: edge has no deployment."]],
    [
      "another one serves",
      { now: [{ id: "x", percentage: 100 }] },
      ["x (somebody else's)", "find out who has deployed"],
    ],
    ["the platform is silent", { now: "unknown" }, ["What is live is not known.", "`npx wrangler deployments status"]],
  ])("when %s", (_what, change, sentences) => {
    const text = finalStateText({ ...KNOWN, record: "unchanged", ...change });
    for (const sentence of sentences) expect(text).toContain(sentence);
  });
});

test.each([
  [{ workers_dev: true }, false],
  [{}, false],
  [{ workers_dev: false, routes: [{ pattern: "api.example.org", custom_domain: true }] }, false],
  [{ workers_dev: false, route: "api.example.org/*" }, false],
  [{ workers_dev: false, routes: [] }, true],
  [{ workers_dev: false }, true],
])("an environment with %j has no address: %s", (config, has) => {
  const found = missingAddress(config, "production");
  expect(found.length === 1).toBe(has);
  if (has) expect(found[0]).toMatch(/^\[env.production\] has no address: add routes = .*custom_domain = true/);
});

test("the revision is the commit, dirty when what is deployed differs from it; a sheet beside it is not", () => {
  const root = mkdtempSync(join(tmpdir(), "revision-"));
  const git = (...words: string[]) =>
    spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...words], { cwd: root, encoding: "utf8" });
  expect(gitRevision(root)).toBe("unknown");
  mkdirSync(join(root, "page"));
  writeFileSync(join(root, "wrangler.toml"), "");
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "ours");
  writeFileSync(join(root, "sheet.csv"), "Month,Team\n");
  const commit = git("rev-parse", "HEAD").stdout.trim();
  expect(gitRevision(root)).toBe(commit);
  expect(commit).toMatch(/^[0-9a-f]{40}$/);
  for (const path of ["page/logo.svg", "wrangler.toml"]) {
    writeFileSync(join(root, path), "changed");
    expect(gitRevision(root), path).toBe(`${commit}-dirty`);
    rmSync(join(root, path));
    git("checkout", "--", "wrangler.toml");
  }
});
