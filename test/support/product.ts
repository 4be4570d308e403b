import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The product as a user starts it, on a free port. */
export interface Product {
  readonly url: string;
  readonly state: string;
  /** Everything it has printed so far. */
  readonly output: () => string;
  readonly stop: () => Promise<void>;
}

const READY_SECONDS = 45;

/**
 * `npm start` in a process of its own, with settings as on the command line. Rejects with its output if it does not
 * come up.
 */
export async function startProduct(vars: Readonly<Record<string, string>> = {}): Promise<Product> {
  const port = await freePort();
  const given = Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
  const state = mkdtempSync(join(tmpdir(), "edge-api-"));
  const child = spawn("node", ["tools/start.ts", "--port", String(port), "--state", state, ...given], {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const stop = (): Promise<void> => ended(child);
  for (let waited = 0; !output.includes("Ready."); waited += 0.1) {
    if (child.exitCode !== null || waited > READY_SECONDS) {
      await stop();
      throw new Error(`the product did not start:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { url: `http://127.0.0.1:${port}`, state, output: () => output, stop };
}

/** Ends the whole process group: the start script, wrangler and the runtime under it. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  process.kill(-child.pid, "SIGTERM");
  await exited;
}

/** A port that nothing listens on now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
