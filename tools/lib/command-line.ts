import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect, type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs, styleText } from "node:util";

/**
 * Exit codes, as docs/operations.md describes them. `failed`: the work failed or a check did, and nothing changed;
 * `unusable`: a wrong command line. `open`: a sheet's mapping has open places; `liveButRed`: the deployment is live,
 * but a check fails.
 */
export const EXIT = { failed: 1, unusable: 2, open: 3, liveButRed: 4 } as const;

/** Reasons why a command stops, one line each. Commands throw no other exception on purpose. */
export class Refusal extends Error {
  readonly lines: readonly string[];
  readonly exitCode: number;
  /** Members of the object that `--json` prints, beside `errors`. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    lines: readonly string[],
    exitCode: number = EXIT.failed,
    members: Readonly<Record<string, unknown>> = {},
  ) {
    super(lines.join("\n"));
    this.lines = lines;
    this.exitCode = exitCode;
    this.members = members;
  }
}

/**
 * Parses a command line with Node's parser. An unknown option is a {@link Refusal} with exit code 2; it ends in the
 * help's first line.
 */
export function parseCommandLine<const Config extends ParseArgsConfig>(help: string, config: Config) {
  try {
    return parseArgs(config);
  } catch (cause) {
    const what = cause instanceof Error ? cause.message.split(/\.\s/, 1)[0] : "wrong arguments";
    throw new Refusal([`${what}; ${help.split("\n", 1)[0]}`], EXIT.unusable);
  }
}

/** Makes options that each take a text. */
export function textOptions<const Name extends string>(...names: readonly Name[]) {
  const options = names.map((name) => [name, { type: "string" }] as const);
  return Object.fromEntries(options) as Record<Name, { readonly type: "string" }>; // one entry per name
}

/** Parses `--var NAME:VALUE`. Problems leave out the values of malformed pairs, which may be secrets. */
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

/** Prints a text with its control characters escaped: it may quote others, such as a server's message. */
export function printText(text: string): void {
  console.log(coloured(escapeControls(text)));
}

/** Colours of the marks at the start of a line. */
const COLOURS: Readonly<Record<string, "green" | "red" | "yellow">> = { ok: "green", FAIL: "red", warn: "yellow" };

/** Colours the marks of findings, only on a terminal and without `NO_COLOR`. */
function coloured(text: string): string {
  return text.replaceAll(/^(ok|FAIL|warn)(?= )/gm, (mark) => styleText(COLOURS[mark] ?? "reset", mark));
}

/**
 * Prints an error of the tool itself, with its stack. It is escaped too, because parsers quote what they could not
 * read.
 */
export function printError(cause: unknown): void {
  console.error(escapeControls(inspect(cause)));
}

/** Escapes characters that control a terminal or reorder a line, as JSON does. */
export function escapeControls(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (found) => {
    const code = found.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** Result of a command. `members` are those of the object that `--json` prints, beside `exit_code` and `errors`. */
export interface CommandResult {
  readonly text?: string;
  readonly exitCode?: number;
  readonly members?: Readonly<Record<string, unknown>>;
}

/**
 * Runs a tool if its module is the process's entry point. `--help` prints the help. A returned text is printed, a
 * returned number is the exit code. A {@link Refusal} prints its lines, after the prefix, and sets its exit code. Any
 * other exception is an error of the tool, with exit code 2. With `hasJson` the tool takes `--json`.
 */
export async function runTool(
  moduleUrl: string,
  help: string,
  run: (words: string[]) => unknown,
  { prefix = `${basename(fileURLToPath(moduleUrl), ".ts")}: `, hasJson = false } = {},
): Promise<void> {
  if (process.argv[1] === undefined || resolve(process.argv[1]) !== fileURLToPath(moduleUrl)) return;
  const words = wordsUnlessHelp(help);
  if (hasJson && words.includes("--json")) process.exit(await runAsJson(() => run(words.filter(isNoJsonOption))));
  try {
    process.exitCode = printResult(await run(words));
  } catch (cause) {
    process.exit(printFailure(cause, prefix));
  }
}

const isNoJsonOption = (word: string): boolean => word !== "--json";

/** Prints one JSON object on standard output, and everything else on standard error. Returns the exit code. */
async function runAsJson(run: () => unknown): Promise<number> {
  const print = console.log;
  console.log = console.error;
  try {
    const { exitCode = 0, members, text } = resultOf(await run());
    const output = text === undefined ? {} : { output: text.split("\n") };
    print(JSON.stringify({ exit_code: exitCode, errors: [], ...(members ?? output) }, null, 2));
    return exitCode;
  } catch (cause) {
    const exitCode = cause instanceof Refusal ? cause.exitCode : EXIT.unusable;
    const errors = cause instanceof Refusal ? cause.lines : ["the tool failed; standard error has its stack"];
    if (!(cause instanceof Refusal)) printError(cause);
    const members = cause instanceof Refusal ? cause.members : {};
    print(JSON.stringify({ exit_code: exitCode, errors, ...members }, null, 2));
    return exitCode;
  }
}

function resultOf(result: unknown): CommandResult {
  if (typeof result === "string") return { text: result };
  if (typeof result === "number") return { exitCode: result };
  return typeof result === "object" && result !== null ? result : {};
}

/** Prints a tool's result and returns the exit code. */
export function printResult(result: unknown): number {
  const { text, exitCode = 0 } = resultOf(result);
  if (text !== undefined) printText(text);
  return exitCode;
}

/** Prints why a tool stopped and returns the exit code. */
export function printFailure(cause: unknown, prefix: string): number {
  if (cause instanceof Refusal) for (const line of cause.lines) console.error(escapeControls(`${prefix}${line}`));
  else printError(cause);
  return cause instanceof Refusal ? cause.exitCode : EXIT.unusable;
}

/**
 * Parses the options of a script that does not use {@link runTool}; a wrong option ends the process in the same way.
 */
export function commandOptions<const Options extends ParseArgsOptionsConfig>(help: string, options: Options) {
  const args = wordsUnlessHelp(help);
  try {
    return parseCommandLine(help, { args, options }).values;
  } catch (cause) {
    return process.exit(printFailure(cause, ""));
  }
}

function wordsUnlessHelp(help: string): string[] {
  const words = process.argv.slice(2);
  if (!words.includes("--help") && !words.includes("-h")) return words;
  console.log(helpOf(help, words));
  process.exit(0);
}

/**
 * The part of a help that describes a command, such as `revise burn`: its lines are indented by two blanks, those that
 * continue it by more. An entry `revise ...` belongs to every action. The whole help if no line begins with the
 * command's first word.
 */
export function helpOf(help: string, words: readonly string[]): string {
  const [usage = "", ...entries] = help.split(/\n(?= {2}\S)/);
  const options = words.findIndex((word) => word.startsWith("-"));
  const command = options < 0 ? words : words.slice(0, options);
  for (let length = command.length; length > 0; length -= 1) {
    const name = command.slice(0, length).join(" ");
    const found = entries.filter((entry) => entry === `  ${name}` || entry.startsWith(`  ${name} `));
    const common = entries.filter((entry) => length > 1 && entry.startsWith(`  ${command[0]} ...`));
    if (found.length > 0) return [usage, ...found, ...common].join("\n");
  }
  return help;
}

/**
 * Usage of one command: the help's first line, with the first line of the command's entry in the place of `COMMAND`. The
 * entry ends where two blanks begin what it does. The help's own first line for an unknown command.
 */
export function usageOf(help: string, command: string): string {
  const [usage = "", entry = ""] = helpOf(help, [command]).split("\n");
  const [form = ""] = entry.trim().split(/ {2,}/);
  return form === command || form.startsWith(`${command} `) ? usage.replace("COMMAND", form) : usage;
}
