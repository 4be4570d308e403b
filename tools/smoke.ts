import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { Refusal, runTool } from "./command-line.ts";

const USAGE = "usage: npm run smoke -- https://the-address";
const REQUEST_MS = 15_000;

/** Runs the contract suite against a deployed address. */
async function smoke([address = ""]: readonly string[]): Promise<number> {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) throw new Refusal([USAGE]);
  const { origin } = new URL(address);
  const problem = await reachProblem(origin);
  if (problem !== null) throw new Refusal([problem]);
  const { status } = spawnSync("vitest", ["run", "--project", "contract"], {
    cwd: join(import.meta.dirname, ".."),
    stdio: "inherit",
    env: { ...process.env, BASE_URL: origin },
  });
  return status ?? 1;
}

/** Why the whole suite would fail: no response, or another service. null: it can run. */
async function reachProblem(origin: string): Promise<string | null> {
  try {
    const response = await fetch(`${origin}/api/health`, { signal: AbortSignal.timeout(REQUEST_MS) });
    const text = await response.text();
    if (text.includes('"build_revision"')) return null;
    return `${origin}/api/health answers ${response.status} but is not this API; check the address`;
  } catch (cause) {
    return `${origin} does not answer (${reasonOf(cause)}); check the address and the network`;
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "unknown";
  if (cause.name === "TimeoutError") return `no answer within ${REQUEST_MS / 1000} s`;
  const inner: unknown = cause.cause;
  return inner instanceof Error && "code" in inner ? String(inner.code) : cause.message;
}

await runTool(import.meta.url, USAGE, smoke);
