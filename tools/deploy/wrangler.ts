import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export const ROOT = join(import.meta.dirname, "..", "..");
const ENVIRONMENT = { ...process.env, WRANGLER_SEND_METRICS: "false", WRANGLER_HIDE_BANNER: "true" };

/** How a run of wrangler ended. Its status does not say whether a version serves: only the platform knows that. */
export interface Run {
  readonly succeeded: boolean;
  /** The version that it uploaded, by its own report; null: none. */
  readonly versionId: string | null;
  /** The error that it reported; null: none. */
  readonly error: { readonly code: number | null; readonly message: string } | null;
  /** What it printed, as far as that was not shown. */
  readonly output: string;
  readonly errorOutput: string;
}

export interface RunOptions {
  /** Ends wrangler when aborted. */
  readonly signal?: AbortSignal;
  /** For `--secrets-file /dev/stdin`: no file with a name ever contains them. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** What reaches the terminal; the rest is returned. By default all. */
  readonly shows?: "all" | "errors" | "nothing";
  /** It may ask the operator, if there is a terminal. */
  readonly asks?: boolean;
}

/** Runs wrangler to its end, also when aborted. */
export async function wrangler(words: readonly string[], options: RunOptions = {}): Promise<Run> {
  const { signal, secrets, shows = "all", asks = false } = options;
  const folder = mkdtempSync(join(tmpdir(), "wrangler-"));
  const report = join(folder, "report");
  const file = secrets === undefined ? null : namelessFile(JSON.stringify(secrets));
  try {
    const child = spawn("wrangler", words, {
      cwd: ROOT,
      stdio: [
        file ?? (asks ? "inherit" : "ignore"),
        shows === "all" ? "inherit" : "pipe",
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

/** A descriptor of a file that has lost its name before it gets its content. */
function namelessFile(content: string): number {
  const folder = mkdtempSync(join(tmpdir(), "secrets-"));
  const file = openSync(join(folder, "secrets"), "wx+", 0o600);
  rmSync(folder, { recursive: true });
  // At a position, so that the offset, which the reader may share, stays 0.
  writeSync(file, content, 0);
  return file;
}

interface Entry {
  readonly type: string;
  readonly version_id?: string | null;
  readonly code?: number;
  readonly message?: string;
}

function reported(path: string): Pick<Run, "versionId" | "error"> {
  const entries = linesOf(path).map((line) => JSON.parse(line) as Entry);
  const failed = entries.find(({ type }) => type === "command-failed");
  return {
    versionId: entries.find(({ version_id }) => typeof version_id === "string")?.version_id ?? null,
    error: failed === undefined ? null : { code: failed.code ?? null, message: failed.message ?? "" },
  };
}

/** None when wrangler was ended before it wrote any. */
function linesOf(path: string): string[] {
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
}
