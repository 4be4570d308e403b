import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect, type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from "node:util";

/**
 * Exit codes, as docs/operations.md has them: what was asked for failed, or was found wrong, and nothing changed; the
 * command could not do its work as it was called; a sheet's mapping has open places; what was deployed is live, and a
 * check fails.
 */
export const EXIT = { failed: 1, unusable: 2, open: 3, liveButRed: 4 } as const;

/** Why a command stops, one line each. The only exception that commands throw on purpose. */
export class Refusal extends Error {
  readonly lines: readonly string[];
  readonly exitCode: number;

  constructor(lines: readonly string[], exitCode: number = EXIT.failed) {
    super(lines.join("\n"));
    this.lines = lines;
    this.exitCode = exitCode;
  }
}

/** Node's own parser; unknown options are a {@link Refusal} with exit code 2 that ends in the help's first line. */
export function parseWords<const Config extends ParseArgsConfig>(help: string, config: Config) {
  try {
    return parseArgs(config);
  } catch (cause) {
    const what = cause instanceof Error ? cause.message.split(/\.\s/, 1)[0] : "wrong arguments";
    throw new Refusal([`${what}; ${help.split("\n", 1)[0]}`], EXIT.unusable);
  }
}

/** Options that take a text each. */
export function textOptions<const Name extends string>(...names: readonly Name[]) {
  const options = names.map((name) => [name, { type: "string" }] as const);
  return Object.fromEntries(options) as Record<Name, { readonly type: "string" }>; // one entry per name
}

/** The settings of `--var NAME:VALUE`, and the malformed ones without their values, which may be secrets. */
export function parseSettings(pairs: readonly string[]) {
  const settings: Record<string, string> = {};
  const problems: string[] = [];
  for (const pair of pairs) {
    const [, name, value] = /^([^:]+):(.*)$/s.exec(pair) ?? [];
    if (name === undefined || value === undefined)
      problems.push(`--var takes NAME:VALUE, not ${JSON.stringify(pair.split(/[:=]/, 1)[0])}`);
    else settings[name] = value;
  }
  return { settings, problems };
}

/** Prints what may contain a text of others, such as a server's message. */
export function say(text: string): void {
  console.log(printable(text));
}

/** An error of the tool itself, with its stack, likewise: parsers repeat what they could not read. */
export function sayError(cause: unknown): void {
  console.error(printable(inspect(cause)));
}

/** Text without what a terminal obeys or what reorders a line: those characters are escaped as in JSON. */
export function printable(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (found) => {
    const code = found.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/**
 * Runs a tool, if its module is the process's entry point. `--help` prints the help; a text that the tool returns
 * is printed, a number is the exit code. The lines of a {@link Refusal}, after the prefix, are errors with its exit
 * code; any other exception is an error of the tool, with exit code 2.
 */
export async function runTool(
  moduleUrl: string,
  help: string,
  run: (words: string[]) => unknown,
  prefix = `${basename(fileURLToPath(moduleUrl), ".ts")}: `,
): Promise<void> {
  if (process.argv[1] === undefined || resolve(process.argv[1]) !== fileURLToPath(moduleUrl)) return;
  const words = wordsUnlessHelp(help);
  try {
    process.exitCode = sayResult(await run(words));
  } catch (cause) {
    process.exit(sayCause(cause, prefix));
  }
}

/** Prints what a tool has returned; its exit code. */
export function sayResult(result: unknown): number {
  if (typeof result === "string") say(result);
  return typeof result === "number" ? result : 0;
}

/** Prints why a tool has stopped; its exit code. */
export function sayCause(cause: unknown, prefix: string): number {
  if (cause instanceof Refusal) for (const line of cause.lines) console.error(printable(`${prefix}${line}`));
  else sayError(cause);
  return cause instanceof Refusal ? cause.exitCode : EXIT.unusable;
}

/** The options of a script without {@link runTool}; ends the process in the same way. */
export function commandOptions<const Options extends ParseArgsOptionsConfig>(help: string, options: Options) {
  const args = wordsUnlessHelp(help);
  try {
    return parseWords(help, { args, options }).values;
  } catch (cause) {
    return process.exit(sayCause(cause, ""));
  }
}

function wordsUnlessHelp(help: string): string[] {
  const words = process.argv.slice(2);
  if (!words.includes("--help") && !words.includes("-h")) return words;
  console.log(help);
  process.exit(0);
}
