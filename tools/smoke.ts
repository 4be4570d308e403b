import { spawn } from "node:child_process";
import { join } from "node:path";
import { isRecord, parseJson } from "../src/json.ts";
import { parseWords, Refusal, runTool, sayAll } from "./command-line.ts";
import { OVERRIDE_HEADER } from "./deploy/verify.ts";

const USAGE = "usage: npm run smoke -- https://the-address [--full] [--version-override VALUE]";
const HELP = `${USAGE}
  runs the contract suite against a deployed address, with one caller's quota
  --full                     every test, not only those that a deployment waits for
  --version-override VALUE   of the version that ${OVERRIDE_HEADER} selects`;
const OPTIONS = {
  full: { type: "boolean", default: false },
  "version-override": { type: "string", default: "" },
} as const;
const REQUEST_MS = 15_000;
const REPORT_MS = 15_000;
/** Requests of the suite that count against the default quota; a test compares them. */
export const REQUESTS = { short: 126, full: 490 } as const;
const REQUEST_SECONDS = 0.15;

/** Runs the contract suite against a deployed address. */
async function smoke(args: string[]): Promise<number> {
  const { values, positionals } = parseWords(HELP, { args, options: OPTIONS, allowPositionals: true });
  const [address = ""] = positionals;
  if (positionals.length !== 1 || !URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new Refusal([USAGE]);
  const { origin } = new URL(address);
  const override = values["version-override"];
  const deployment = await deploymentAt(origin, override);
  const seconds = estimatedSeconds(deployment.quota, values.full ? REQUESTS.full : REQUESTS.short);
  console.log(
    `smoke: ${values.full ? "every test" : "the tests that a deployment waits for"}, at most about ${seconds} s`,
  );
  const suite = {
    BASE_URL: origin,
    VERSION_OVERRIDE: override,
    SMOKE_FULL: values.full ? "1" : "",
    HAS_STARTED: deployment.hasStarted ? "yes" : "no",
    SERVED_PATHS: JSON.stringify(deployment.paths),
    SERVES_NODE: deployment.servesNode ? "yes" : "no",
  };
  return runSuite(suite, seconds);
}

/** The suite waits for its caller's quota like any client. */
export function estimatedSeconds({ quota, windowSeconds }: Quota, requests: number): number {
  return Math.ceil(Math.floor((requests - 1) / quota) * windowSeconds + requests * REQUEST_SECONDS);
}

async function runSuite(suite: Record<string, string>, seconds: number): Promise<number> {
  const startedAtMs = Date.now();
  const child = spawn("vitest", ["run", "--project", "contract"], {
    cwd: join(import.meta.dirname, ".."),
    stdio: ["ignore", "pipe", "pipe"],
    // Its colors would be printed as text.
    env: { ...process.env, FORCE_COLOR: undefined, NO_COLOR: "1", ...suite },
  });
  sayAll(child);
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => child.kill(name));
  const report = setInterval(() => {
    console.log(`\nsmoke: ${Math.round((Date.now() - startedAtMs) / 1000)} s of at most about ${seconds} s`);
  }, REPORT_MS);
  const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearInterval(report);
  return status ?? 1;
}

interface Quota {
  readonly quota: number;
  readonly windowSeconds: number;
}

/** What the suite depends on. A {@link Refusal} tells why all of it would fail. */
async function deploymentAt(origin: string, override: string) {
  const headers: Record<string, string> = override === "" ? {} : { [OVERRIDE_HEADER]: override };
  const get = (path: string) =>
    fetch(origin + path, { headers, signal: AbortSignal.timeout(REQUEST_MS) }).catch((cause: unknown) => {
      throw new Refusal([`${origin} does not answer (${reasonOf(cause)}); check the address and the network`]);
    });
  const response = await get("/api/health");
  const text = await response.text();
  if (!text.includes('"build_revision"'))
    throw new Refusal([`${origin}/api/health answers ${response.status} but is not this API; check the address`]);
  const [, quota = "60", windowSeconds = "60"] = /"default":"(\d+)\/(\d+)"/.exec(text) ?? [];
  return {
    quota: { quota: Number(quota), windowSeconds: Number(windowSeconds) },
    hasStarted: !text.includes('"status":"not_started"'),
    paths: pathsOf(await (await get("/api/openapi.json")).text()),
    servesNode: (await (await get("/.well-known/api-catalog")).text()).includes("/v1/spec.json"),
  };
}

/** What the deployment's document lists; null, which is everything, when it is none: its own test says so. */
function pathsOf(text: string): readonly string[] | null {
  const document = parseJson(text);
  return isRecord(document) && isRecord(document["paths"]) ? Object.keys(document["paths"]) : null;
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "unknown";
  if (cause.name === "TimeoutError") return `no answer within ${REQUEST_MS / 1000} s`;
  const inner: unknown = cause.cause;
  return inner instanceof Error && "code" in inner ? String(inner.code) : cause.message;
}

await runTool(import.meta.url, HELP, smoke);
