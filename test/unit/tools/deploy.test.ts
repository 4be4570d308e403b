import { describe, expect, test } from "vitest";
import { addressOf } from "../../../tools/deploy/address.ts";
import { parseArguments } from "../../../tools/deploy/arguments.ts";
import { planDeployment } from "../../../tools/deploy/plan.ts";
import { type VerifyPorts, verify } from "../../../tools/deploy/verify.ts";

const VARS = { BUILD_REVISION: "local", NODE_URLS: "", RATES_URL: "", RATE_LIMIT_NODE: "300/60" };
const FILE = {
  name: "edge",
  main: "src/worker.ts",
  vars: VARS,
  services: [{ binding: "NODE", service: "devnode" }],
  env: {
    staging: {
      name: "edge-staging",
      secrets: { required: ["NODE_URLS"] },
      vars: { ENVIRONMENT: "staging", RATES_URL: "", RATE_LIMIT_NODE: "300/60" },
    },
  },
};
const UPSTREAMS = { NODE_URLS: "https://node.example/key/v1", RATES_URL: "https://rates.example/pools" };

describe("a plan", () => {
  test("is of one environment, with every secret removed from the settings", () => {
    const given = { ...UPSTREAMS, NODE_API_KEY: "k", RATE_LIMIT_NODE: "10/1" };
    expect(planDeployment(FILE, "staging", given, [])).toEqual({
      kind: "plan",
      plan: {
        config: {
          name: "edge-staging",
          main: "src/worker.ts",
          secrets: { required: ["NODE_URLS"] },
          vars: { ENVIRONMENT: "staging", RATES_URL: UPSTREAMS.RATES_URL, RATE_LIMIT_NODE: "10/1" },
        },
        secrets: { NODE_URLS: UPSTREAMS.NODE_URLS, NODE_API_KEY: "k" },
      },
    });
  });

  test("a secret that wrangler.toml has as a setting is removed from the settings", () => {
    const section = { ...FILE.env.staging, vars: { ...FILE.env.staging.vars, ...UPSTREAMS } };
    const planned = planDeployment({ ...FILE, env: { staging: section } }, "staging", {}, []);
    if (planned.kind !== "plan") throw new Error(planned.problems.join());
    expect(planned.plan.secrets).toEqual({ NODE_URLS: UPSTREAMS.NODE_URLS });
    expect(JSON.stringify(planned.plan.config)).not.toContain("node.example");
  });

  test("the deployed Worker's stored nodes need not be given again", () => {
    const given = { RATES_URL: UPSTREAMS.RATES_URL };
    const planned = planDeployment(FILE, "staging", given, ["NODE_URLS"]);
    expect(planned).toMatchObject({ kind: "plan", plan: { secrets: {} } });
  });

  test.each<[string, Record<string, string>, string]>([
    ["no nodes", { NODE_URLS: "" }, "--var NODE_URLS:https://..."],
    ["a misspelled setting", { RATE_LIMT_NODE: "1/1" }, "RATE_LIMT_NODE is not a setting; known are ALERT_WEBHOOK"],
    ["plain http", { NODE_URLS: "http://node.example/v1" }, "NODE_URLS has a URL that is not https"],
    ["http for the listing", { RATES_URL: "http://rates.example/p" }, "RATES_URL has a URL that is not https"],
    ["localhost", { NODE_URLS: "https://localhost/v1" }, "NODE_URLS has a URL inside a private network"],
    ["a private IPv4", { NODE_URLS: "https://10.0.0.7/v1" }, "inside a private network"],
    ["a private 172 address", { NODE_URLS: "https://172.20.0.7/v1" }, "inside a private network"],
    ["a private IPv6", { NODE_URLS: "https://[fd00::1]/v1" }, "inside a private network"],
    ["a mapped IPv4", { NODE_URLS: "https://[::ffff:10.0.0.7]/v1" }, "inside a private network"],
    ["an internal name", { RATES_URL: "https://rates.internal/p" }, "inside a private network"],
    ["the second of two", { NODE_URLS: "https://a.example/v1,https://node/v1" }, "inside a private network"],
    ["an invalid limit", { RATE_LIMIT_NODE: "0/0" }, "RATE_LIMIT_NODE must be quota/seconds"],
  ])("%s is refused", (_what, given, problem) => {
    const planned = planDeployment(FILE, "staging", { ...UPSTREAMS, ...given }, []);
    expect(planned).toEqual({ kind: "problems", problems: [expect.stringContaining(problem)] });
  });

  test("a coarse limit that would refuse what a quota admits is refused", () => {
    const ratelimits = [{ name: "FLOOD_CALLER", namespace_id: "1", simple: { limit: 500, period: 10 } }];
    const file = { ...FILE, env: { staging: { ...FILE.env.staging, ratelimits } } };
    expect(planDeployment(file, "staging", UPSTREAMS, []).kind).toBe("plan");
    expect(planDeployment(file, "staging", { ...UPSTREAMS, RATE_LIMIT_NODE: "60/1" }, [])).toEqual({
      kind: "problems",
      problems: [
        "the rate limit FLOOD_CALLER allows 500 in 10 s, but RATE_LIMIT_DEFAULT and RATE_LIMIT_NODE admit 600; raise it",
      ],
    });
  });

  test("no refusal repeats a URL, which may contain a key", () => {
    const planned = planDeployment(FILE, "staging", { ...UPSTREAMS, NODE_URLS: "http://n.example/s3cret/v1" }, []);
    expect(JSON.stringify(planned)).not.toContain("s3cret");
  });
});

describe("the command line", () => {
  test.each([
    [["--env", "prod"], "--env must be one of staging, production"],
    [[], "--env must be one of staging, production"],
    [["--env", "staging", "--var", "NODE_URLS"], "--var takes NAME:VALUE"],
    [["--environment", "staging"], "usage:"],
    [["--env", "staging", "--address", "http://x.example"], "--address takes an https:// address"],
  ])("%j is refused", (words, problem) => {
    expect(() => parseArguments(words)).toThrow(problem);
  });

  test("a value may contain colons", () => {
    const words = ["--env", "staging", "--var", "NODE_URLS:https://n.example:8443/v1", "--rollback-on-failure"];
    expect(parseArguments(words)).toMatchObject({
      settings: { NODE_URLS: "https://n.example:8443/v1" },
      rollbackOnFailure: true,
      dryRun: false,
    });
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
  /** A deployment whose health reports these revisions, one per request; the last one is repeated. */
  function world(revisions: readonly string[], passes = true) {
    let nowMs = 0;
    let requested = 0;
    const printed: string[] = [];
    const ports: VerifyPorts = {
      fetch: async (input) => {
        if (!String(input).endsWith("/api/health")) return new Response("1", { headers: { "CF-Ray": "8f-FRA" } });
        const revision = revisions[Math.min(requested++, revisions.length - 1)];
        return new Response(JSON.stringify({ build_revision: revision }), { status: 503 });
      },
      now: () => nowMs,
      pause: async (milliseconds) => {
        nowMs += milliseconds;
      },
      smoke: () => passes,
      print: (line) => printed.push(line),
    };
    return { ports, printed, requests: () => requested };
  }

  test("it waits for the new revision, prints the first latencies and runs the smoke suite", async () => {
    const { ports, printed, requests } = world(["old", "old", "new"]);
    expect(await verify("https://e.example", "new", ports)).toBeNull();
    expect(requests()).toBe(3);
    expect(printed).toHaveLength(3);
    expect(printed[0]).toMatch(/^\/api\/circulating-supply: first \d+ ms, then \d+ ms; data centre FRA/);
  });

  test("a revision that never answers is reported, with the one that does", async () => {
    const failure = await verify("https://e.example", "new", world(["old"]).ports);
    expect(failure).toBe("after 180 s https://e.example still answers old, not revision new");
  });

  test("a failing smoke suite is reported", async () => {
    expect(await verify("https://e.example", "new", world(["new"], false).ports)).toMatch(/smoke suite failed/);
  });
});
