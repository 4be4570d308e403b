import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseWords, Refusal, runTool } from "./command-line.ts";
import { type Finding, findings } from "./rehearse/findings.ts";
import { displayPath, readSchedule } from "./schedule/files.ts";
import { scheduleErrorText } from "./schedule/schedule-result.ts";
import { verify } from "./schedule/verify.ts";
import { scheduleWarnings } from "./schedule/warnings.ts";

const MAIN = join(import.meta.dirname, "main.mjs");
const HELP = `usage: npm run rehearse -- SCHEDULE.json
  starts the whole product with that file on a free port, reads every figure, wallet and form, prints what it found, ends
  exit code: 0 when everything is as the file says, 1 otherwise`;
const READY_MS = 180_000;

/** The first hour of a new schedule in one command. Returns the exit code. */
async function rehearse(words: string[]): Promise<number> {
  const { positionals } = parseWords(HELP, { args: words, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new Refusal([HELP]);
  const schedule = readSchedule(file);
  const interrupted = interruption();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), "rehearsal-"));
  copyFileSync(file, join(folder, "native.json"));
  const env = { ...process.env, SCHEDULE_FOLDER: folder };
  console.log(`1/3 starting the product with ${displayPath(file)}`);
  const state = join(folder, "state");
  const product = spawn(process.execPath, [MAIN, "start", "--port", String(port), "--state", state], { env });
  // Also when a signal ends it before it handles any.
  const ended = new Promise((resolve) => product.once("exit", resolve));
  const examine = async (): Promise<number> => {
    await ready(product);
    console.log("2/3 reading figures, wallets and forms");
    const found = await findings(url, schedule, Date.now());
    found.push(await walletFinding(url, schedule));
    console.log("3/3 asking the doctor");
    found.push(doctorFinding(url, env));
    const warnings = scheduleWarnings(schedule, Date.now()).map((warning) =>
      scheduleErrorText(displayPath(file), warning),
    );
    console.log(summary(found, warnings));
    return found.every(({ problems }) => problems.length === 0) ? 0 : 1;
  };
  try {
    return await Promise.race([examine(), interrupted]);
  } finally {
    product.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Rejects at the first signal that asks this process to end; later ones do not keep it from removing its files. */
function interruption(): Promise<never> {
  const interrupted = new Promise<never>((_resolve, reject) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
      process.on(signal, () => reject(new Refusal([`interrupted by ${signal}; nothing of the rehearsal stays`])));
  });
  interrupted.catch(() => undefined);
  return interrupted;
}

/** Resolves when the product is ready; its own words are the reason when it is not. */
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
    product.once("exit", () => {
      clearTimeout(timer);
      fail();
    });
  });
}

async function walletFinding(url: string, schedule: ReturnType<typeof readSchedule>): Promise<Finding> {
  try {
    const report = await verify({ folder: "", nowMs: Date.now() }, schedule, { node: `${url}/v1` });
    return { what: "wallets", is: report, problems: [] };
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    return { what: "wallets", is: "", problems: cause.lines };
  }
}

function doctorFinding(url: string, env: NodeJS.ProcessEnv): Finding {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, "doctor", url], { env, encoding: "utf8" });
  const lines = `${stdout}${stderr}`.trim().split("\n");
  return { what: "doctor", is: lines.at(-1) ?? "", problems: status === 0 ? [] : lines.slice(0, -1) };
}

function summary(found: readonly Finding[], warnings: readonly string[]): string {
  const width = Math.max(...found.map(({ what }) => what.length));
  const indent = `\n${" ".repeat(width + 6)}`;
  const lines = found.map(({ what, is, problems }) => {
    const text = problems.length === 0 ? is : problems.join("\n");
    return `${problems.length === 0 ? "ok  " : "FAIL"}  ${what.padEnd(width)}${text.replace(/^/gm, "  ").replaceAll("\n", indent)}`;
  });
  const failed = found.filter(({ problems }) => problems.length > 0).length;
  const verdict =
    failed === 0 ? "Everything is as the file says." : `${failed} of ${found.length} are not as the file says.`;
  return ["", ...lines, ...warnings.map((warning) => `warn  ${warning}`), "", verdict].join("\n");
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

await runTool(import.meta.url, HELP, rehearse);
