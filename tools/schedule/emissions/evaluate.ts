import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Log, LogLevel, Miniflare } from "miniflare";
import ts from "typescript";
import { Refusal } from "../../lib/command-line.ts";
import type { Emissions, Section } from "./driver.ts";

/** Two times of evaluation, far apart. A plan that depends on the present differs between them. */
const CLOCKS_MS = [Date.UTC(2015, 0, 1), Date.UTC(2045, 0, 1)];
const MAX_RUN_MS = 20_000;
/** Parameters of the function that wraps a file: its module, and names that would reach outside. */
export const FILE_PARAMETERS = ["module", "exports", "require", "Date", "fetch", "process", "globalThis", "self"];

/** Evaluates a file's script at several times; `refused` is the reason why it has no result. */
export type RunEmissions = (
  script: string,
  clocksMs: readonly number[],
) => Promise<readonly Emissions[] | { readonly refused: string }>;

/** Runs an emissions file as code. A file or section whose result depends on the time of evaluation is refused. */
export async function evaluateEmissions(
  name: string,
  text: string,
  run: RunEmissions = (script, clocksMs) => runSandboxed(script, clocksMs, MAX_RUN_MS),
): Promise<Emissions> {
  const answer = await run(javascript(name, text, ts.ModuleKind.CommonJS), CLOCKS_MS);
  if ("refused" in answer) throw new Refusal([`${name}: ${answer.refused.slice(0, 300)}`]);
  const [early, late] = answer;
  if (early === undefined || early.sections.length !== late?.sections.length || early.total !== late.total)
    throw new Refusal([`${name}: depends on the time at which it is read`]);
  const sections = early.sections.map((section, index): Section => {
    const isSame = JSON.stringify(section) === JSON.stringify(late.sections[index]);
    return isSame ? section : { name: section.name, refused: "depends on the time at which it is read" };
  });
  return { ...early, sections };
}

/** Compiles a module to JavaScript. Unbalanced braces are refused before anything runs. */
function javascript(name: string, text: string, module: ts.ModuleKind): string {
  const { outputText, diagnostics = [] } = ts.transpileModule(text, {
    compilerOptions: { module, target: ts.ScriptTarget.ES2022, esModuleInterop: true },
    reportDiagnostics: true,
  });
  const [first] = diagnostics;
  if (first === undefined) return outputText;
  const line = text.slice(0, first.start ?? 0).split("\n").length;
  throw new Refusal([`${name}: line ${line}: ${ts.flattenDiagnosticMessageText(first.messageText, " ")}`]);
}

function noNetwork(): never {
  throw new Error("no network");
}

/** Runs a script for a bounded time in an isolate without network, files, bindings or a running clock. */
export async function runSandboxed(
  script: string,
  clocksMs: readonly number[],
  waitMs: number,
): ReturnType<RunEmissions> {
  const contents = [
    javascript("driver.ts", readFileSync(join(import.meta.dirname, "driver.ts"), "utf8"), ts.ModuleKind.ESNext),
    // The script is foreign code: it sees its parameters and the globals that `forbidGlobals` leaves.
    `const file = (${FILE_PARAMETERS.join(", ")}) => {\n${script}\n};`,
    `const answer = Response.json;
    export default { async fetch() {
      try { forbidGlobals(); return answer(await Promise.all(${JSON.stringify(clocksMs)}.map((ms) => evaluate(file, ms)))); }
      catch (cause) { return answer({ refused: String(cause?.message ?? cause) }); }
    } };`,
  ].join("\n");
  const answer = await inIsolate(contents, waitMs);
  return answer === undefined
    ? { refused: "could not be evaluated: it does not end, exceeds its memory, or is not a module" }
    : (answer as readonly Emissions[]); // what the driver answers
}

/** Script that starts the program in `RUNTIME_PROGRAM`, with bounded memory where the system can bound it. */
const BOUNDED_RUNTIME = join(import.meta.dirname, "bounded-runtime.sh");

/**
 * Runs a Worker without network and bindings in a process of bounded memory, and returns its JSON answer; undefined
 * when it gives none.
 */
export async function inIsolate(contents: string, waitMs: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  let runtime: Miniflare | undefined;
  const before = process.env["MINIFLARE_WORKERD_PATH"];
  if (process.platform !== "win32") {
    process.env["RUNTIME_PROGRAM"] = before ?? workerdProgram();
    process.env["MINIFLARE_WORKERD_PATH"] = BOUNDED_RUNTIME;
  }
  try {
    runtime = new Miniflare({
      cf: {},
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: () => {},
      workers: [
        {
          config: {
            name: "file",
            compatibilityDate: "2025-01-01",
            manifest: { mainModule: "file.js", modules: { "file.js": { type: "esm", contents } } },
          },
          dev: { outboundService: { type: "fetcher", handler: noNetwork } },
        },
      ],
    });
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("late")), waitMs);
    });
    const response = await Promise.race([runtime.dispatchFetch("http://file/"), late]);
    return await response.json();
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    await runtime?.dispose();
    if (before === undefined) delete process.env["MINIFLARE_WORKERD_PATH"];
    else process.env["MINIFLARE_WORKERD_PATH"] = before;
  }
}

/** Path of the workerd program that Miniflare brings. */
function workerdProgram(): string {
  return createRequire(import.meta.resolve("miniflare"))("workerd").default;
}
