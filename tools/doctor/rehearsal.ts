import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Refusal } from "../lib/command-line.ts";
import { REPOSITORY_FOLDER } from "../schedule/files.ts";

const MAIN = join(import.meta.dirname, "..", "main.mjs");
const READY_MS = 180_000;

/**
 * Starts the product with a schedule file and settings on a free port, calls `work`, and removes everything again.
 * `starting` is called once a signal can no longer leave anything behind.
 */
export async function withProduct<T>(
  file: string,
  vars: readonly string[],
  starting: () => void,
  work: (url: URL) => Promise<T>,
): Promise<T> {
  const interrupted = interruption();
  starting();
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "rehearsal-"));
  copyFileSync(file, join(folder, "native.json"));
  for (const name of ["addresses.json", "rates.json", "rates-recorded.json"])
    if (existsSync(join(REPOSITORY_FOLDER, name))) copyFileSync(join(REPOSITORY_FOLDER, name), join(folder, name));
  const settings = vars.flatMap((each) => ["--var", each]);
  const words = ["start", "--port", String(port), "--state", join(folder, ".wrangler"), ...settings];
  const product = spawn(process.execPath, [MAIN, ...words], { env: { ...process.env, SCHEDULE_FOLDER: folder } });
  // The event comes even if a signal kills the product before it handles signals.
  const ended = new Promise((resolve) => product.once("exit", resolve));
  const run = async (): Promise<T> => {
    await ready(product);
    return work(new URL(`http://127.0.0.1:${port}`));
  };
  try {
    return await Promise.race([run(), interrupted]);
  } finally {
    product.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Rejects at the first signal that asks this process to end. Further signals do not prevent the clean-up. */
function interruption(): Promise<never> {
  const interrupted = new Promise<never>((_resolve, reject) => {
    for (const signal of SIGNALS) process.on(signal, () => reject(interruptedBy(signal)));
  });
  interrupted.catch(() => undefined);
  return interrupted;
}

const SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
const interruptedBy = (signal: string): Refusal =>
  new Refusal([`interrupted by ${signal}; nothing of the rehearsal stays`]);

/** Resolves when the product is ready; otherwise rejects with the product's output. */
function ready(product: ChildProcess): Promise<void> {
  let output = "";
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Refusal(["the product did not start:", ...output.trim().split("\n")]));
    const timer = setTimeout(fail, READY_MS);
    for (const stream of [product.stdout, product.stderr])
      stream?.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes("Ready.")) {
          clearTimeout(timer);
          resolve();
        }
      });
    product.once("exit", (_code, signal) => {
      clearTimeout(timer);
      // Ctrl-C ends the product too, and its end may be seen before this process receives the signal.
      if (signal !== null && SIGNALS.includes(signal)) reject(interruptedBy(signal));
      else fail();
    });
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => (typeof address === "object" && address !== null ? resolve(address.port) : reject(address)));
    });
  });
}
