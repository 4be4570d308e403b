import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");
const READY_SECONDS = 180;

/** Starts the product as a user does, on a free port, with a new chain and high quotas. */
export async function startProduct(settings = {}, env = process.env) {
  const port = await freePort();
  const state = mkdtempSync(join(tmpdir(), "clients-"));
  const vars = { RATE_LIMIT_DEFAULT: "10000/60", RATE_LIMIT_NODE: "10000/60", ...settings };
  const words = Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
  const child = spawn(
    process.execPath,
    [join(ROOT, "tools", "main.mjs"), "start", "--port", String(port), "--state", state, ...words],
    { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const stop = async () => {
    if (child.exitCode === null) {
      const exited = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await exited;
    }
    rmSync(state, { recursive: true, force: true });
  };
  for (let waited = 0; !output.includes("Ready."); waited += 0.2) {
    if (child.exitCode !== null || waited > READY_SECONDS) {
      await stop();
      throw new Error(`the product did not start:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return { origin: `http://127.0.0.1:${port}`, node: `http://127.0.0.1:${port}/v1`, stop };
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
