import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export const ROOT = join(import.meta.dirname, "..", "..");
const ENVIRONMENT = { ...process.env, WRANGLER_SEND_METRICS: "false", WRANGLER_HIDE_BANNER: "true" };

/** Result of a wrangler command. The exit status does not prove that a version serves: only the platform knows that. */
export interface RunResult {
  readonly succeeded: boolean;
  /** Version that wrangler reports as uploaded; null: none. */
  readonly versionId: string | null;
  /** Error that wrangler reports; null: none. */
  readonly error: { readonly code: number | null; readonly message: string } | null;
  /** Printed text that was not shown on the terminal. */
  readonly output: string;
  readonly errorOutput: string;
}

export interface RunOptions {
  /** Ends wrangler when aborted. */
  readonly signal?: AbortSignal;
  /** Secrets for `--secrets-file /dev/stdin`, so that they never stand in a file with a name. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Output that reaches the terminal, by default all; the rest is returned. */
  readonly shows?: "all" | "errors" | "nothing";
  /** Whether wrangler may ask the operator, if there is a terminal. */
  readonly asks?: boolean;
}

/** Runs wrangler and waits for its end, even when aborted. */
export async function wrangler(words: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { signal, secrets, shows = "all", asks = false } = options;
  const folder = mkdtempSync(join(tmpdir(), "wrangler-"));
  const report = join(folder, "report");
  const file = secrets === undefined ? null : namelessFile(JSON.stringify(secrets));
  try {
    const child = spawn("wrangler", words, {
      cwd: ROOT,
      stdio: [
        file ?? (asks ? "inherit" : "ignore"),
        // Standard output is for the command's own result.
        shows === "all" ? 2 : "pipe",
        shows === "nothing" ? "pipe" : "inherit",
      ],
      env: { ...ENVIRONMENT, WRANGLER_OUTPUT_FILE_PATH: report },
    });
    const end = (): boolean => child.kill();
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
    const [output, errorOutput, status] = await Promise.all([
      child.stdout === null ? "" : text(child.stdout),
      child.stderr === null ? "" : text(child.stderr),
      new Promise((resolve, reject) => child.on("close", resolve).on("error", reject)),
    ]);
    signal?.removeEventListener("abort", end);
    return { succeeded: status === 0, ...reported(report), output, errorOutput };
  } finally {
    if (file !== null) closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Opens a file and deletes its name before its content is written. Returns the descriptor. */
function namelessFile(content: string): number {
  const folder = mkdtempSync(join(tmpdir(), "secrets-"));
  const file = openSync(join(folder, "secrets"), "wx+", 0o600);
  rmSync(folder, { recursive: true });
  // A positioned write leaves the offset at 0, where the reader begins.
  writeSync(file, content, 0);
  return file;
}

interface Entry {
  readonly type: string;
  readonly version_id?: string | null;
  readonly code?: number;
  readonly message?: string;
}

function reported(path: string): Pick<RunResult, "versionId" | "error"> {
  const entries = linesOf(path).map((line) => JSON.parse(line) as Entry);
  const failed = entries.find(({ type }) => type === "command-failed");
  return {
    versionId: entries.find(({ version_id }) => typeof version_id === "string")?.version_id ?? null,
    error: failed === undefined ? null : { code: failed.code ?? null, message: failed.message ?? "" },
  };
}

/** Lines of wrangler's report; none when wrangler was killed before it wrote one. */
function linesOf(path: string): string[] {
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
}
