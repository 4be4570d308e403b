import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { latencies } from "./latency.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** A deployment reaches all data centres within a minute or two. */
const ROLLOUT_MS = 180_000;
const PAUSE_MS = 2_000;
const REQUEST_MS = 20_000;

/** What verification needs of its environment. */
export interface VerifyPorts {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Runs the smoke suite; true when it passes. */
  readonly smoke: (address: string) => boolean;
  readonly print: (line: string) => void;
}

/**
 * Waits until the new revision responds, prints where its objects were placed and their first latencies, and runs the
 * smoke suite. Returns the failure in one sentence, or null.
 */
export async function verify(address: string, revision: string, ports: VerifyPorts = real()): Promise<string | null> {
  const seen = await waitForRevision(address, revision, ports);
  if (seen !== revision)
    return `after ${ROLLOUT_MS / 1000} s ${address} still answers ${seen}, not revision ${revision}`;
  for (const line of await latencies(address, ports)) ports.print(line);
  return ports.smoke(address) ? null : `the smoke suite failed at ${address}`;
}

/** The revision that finally responds, or how it fails. */
async function waitForRevision(address: string, revision: string, ports: VerifyPorts): Promise<string> {
  const untilMs = ports.now() + ROLLOUT_MS;
  for (;;) {
    const seen = await revisionAt(address, ports);
    if (seen === revision || ports.now() >= untilMs) return seen;
    await ports.pause(PAUSE_MS);
  }
}

async function revisionAt(address: string, ports: VerifyPorts): Promise<string> {
  try {
    const response = await ports.fetch(`${address}/api/health`, { signal: AbortSignal.timeout(REQUEST_MS) });
    const body: unknown = JSON.parse(await response.text());
    const hasRevision = typeof body === "object" && body !== null && "build_revision" in body;
    return hasRevision ? String(body.build_revision) : `status ${response.status} without a revision`;
  } catch (cause) {
    return `nothing (${cause instanceof SyntaxError ? "no JSON" : "no connection"})`;
  }
}

function real(): VerifyPorts {
  return {
    fetch,
    now: () => Date.now(),
    pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    smoke: (address) =>
      spawnSync("node", ["tools/main.mjs", "smoke", address], { cwd: ROOT, stdio: "inherit" }).status === 0,
    print: (line) => console.log(line),
  };
}
