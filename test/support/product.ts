import "./started-product.js";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHECKOUT, ENVIRONMENT } from "./checkout.ts";

/** Product as a user starts it, on a free port. */
export interface Product {
  readonly url: string;
  readonly state: string;
  /** Output so far. */
  readonly output: () => string;
  readonly stop: () => Promise<void>;
  /** Resolves when the process has ended by itself. */
  readonly ended: () => Promise<unknown>;
}

/** Longest start, of a copy whose page is built first on a busy machine. */
const READY_SECONDS = 150;

/** Place and words of a start; by default a free port, the tests' checkout and its environment. */
export interface Operator {
  readonly port?: number;
  /** Address to listen on; by default this machine alone. */
  readonly host?: string;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** State folder; absent: a new one. */
  readonly state?: string;
  /** Further arguments of the command line. */
  readonly words?: readonly string[];
}

/**
 * Runs `npm start` as a process, with settings as on the command line. Rejects with its output if it does not come up.
 */
export async function startProduct(
  vars: Readonly<Record<string, string>> = {},
  { port: given, host, cwd = CHECKOUT, env = ENVIRONMENT, state = newState(), words = [] }: Operator = {},
): Promise<Product> {
  const port = given ?? (await freePort());
  const settings = Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
  const options = [...settings, ...(host === undefined ? [] : ["--host", host]), ...words];
  const child = spawn("node", ["tools/main.mjs", "start", "--port", String(port), "--state", state, ...options], {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    cwd,
    env,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  // Waits for the end of the output, whose last part may arrive after the exit.
  const ended = once(child, "close");
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  /** Ends the whole process group: the start script and the runtime under it. */
  const stop = async (): Promise<void> => {
    if (isRunning() && child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    await ended;
  };
  for (let waited = 0; !output.includes("Ready."); waited += 0.1) {
    if (!isRunning() || waited > READY_SECONDS) {
      await stop();
      throw new Error(`the product did not start (${child.signalCode ?? child.exitCode}):\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { url: `http://127.0.0.1:${port}`, state, output: () => output, stop, ended: () => ended };
}

const newState = (): string => mkdtempSync(join(tmpdir(), "edge-api-"));

const [FIRST_PORT, PORTS] = [10_000, 20_000];

/**
 * Finds a free port below the range from which the system chooses ports. It is bound later, so a file in the folder of
 * the test run keeps every other start from it.
 */
export async function freePort(): Promise<number> {
  const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
  try {
    closeSync(openSync(join(tmpdir(), `port-${port}`), "wx"));
  } catch (cause) {
    if (existsSync(join(tmpdir(), `port-${port}`))) return freePort();
    throw cause;
  }
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(freePort()));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(port)));
  });
}
