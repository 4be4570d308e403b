import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { Refusal, say } from "../command-line.ts";
import { latencies } from "./latency.ts";
import { ROOT } from "./wrangler.ts";

/** A deployment reaches all data centres within a minute or two; a new domain gets its name and certificate first. */
export const ROLLOUT_MS = { known: 180_000, first: 900_000 } as const;
const PAUSE_MS = 2_000;
const REPORT_MS = 30_000;
const REQUEST_MS = 20_000;

/** What verification needs of its environment. */
export interface VerifyPorts {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  /** Rejects when the deployment is interrupted. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Runs the smoke suite; true when it passes. */
  readonly smoke: (address: string, override: string | null) => Promise<boolean>;
  readonly print: (line: string) => void;
}

/** Where a version is looked for. */
export interface Target {
  readonly address: string;
  readonly versionId: string;
  /** The value of the platform's header that selects a version; null: whichever answers. */
  readonly override: string | null;
}

export const OVERRIDE_HEADER = "Cloudflare-Workers-Version-Overrides";

/** Waits until the version answers at the address; otherwise a {@link Refusal}. */
export async function waitForVersion(target: Target, rolloutMs: number, ports: VerifyPorts): Promise<void> {
  const { address, versionId } = target;
  const startedAtMs = ports.now();
  for (let reportAtMs = startedAtMs + REPORT_MS; ; ) {
    const seen = await versionAt(target, ports);
    if (seen === versionId) return;
    if (ports.now() - startedAtMs >= rolloutMs)
      throw new Refusal([`after ${rolloutMs / 1000} s ${address} still answers ${seen}, not version ${versionId}`]);
    if (ports.now() >= reportAtMs) {
      ports.print(`waiting: ${address} answers ${seen}, not yet version ${versionId}`);
      reportAtMs += REPORT_MS;
    }
    await ports.pause(PAUSE_MS);
  }
}

/** Runs the smoke suite against the version; otherwise a {@link Refusal}. */
export async function smoke({ address, override }: Target, ports: VerifyPorts): Promise<void> {
  if (!(await ports.smoke(address, override))) throw new Refusal([`the smoke suite failed at ${address}`]);
}

/** Prints where the objects are and the first latencies. */
export async function printLatencies(address: string, ports: VerifyPorts): Promise<void> {
  for (const line of await latencies(address, ports)) ports.print(line);
}

async function versionAt({ address, override }: Target, ports: VerifyPorts): Promise<string> {
  const headers: Record<string, string> = override === null ? {} : { [OVERRIDE_HEADER]: override };
  try {
    const response = await ports.fetch(`${address}/api/health`, { headers, signal: AbortSignal.timeout(REQUEST_MS) });
    const body: unknown = JSON.parse(await response.text());
    if (typeof body !== "object" || body === null) return `status ${response.status}`;
    if ("version_id" in body) return String(body.version_id);
    const message = "message" in body ? `: ${String(body.message).slice(0, 200)}` : "";
    return `status ${response.status} without a version${message}`;
  } catch (cause) {
    return `nothing (${cause instanceof SyntaxError ? "no JSON" : "no connection"})`;
  }
}

/** Real ports, which the signal interrupts. */
export function realPorts(signal: AbortSignal): VerifyPorts {
  return {
    fetch,
    now: () => Date.now(),
    pause: (milliseconds) => sleep(milliseconds, undefined, { signal }),
    smoke: async (address, override) => {
      const words = [
        "tools/main.mjs",
        "smoke",
        address,
        ...(override === null ? [] : ["--version-override", override]),
      ];
      const child = spawn("node", words, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
      const end = (): boolean => child.kill();
      signal.addEventListener("abort", end);
      const status = await new Promise((resolve) => child.on("close", resolve));
      signal.removeEventListener("abort", end);
      signal.throwIfAborted();
      return status === 0;
    },
    print: say,
  };
}
