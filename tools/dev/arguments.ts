import { parseArgs } from "node:util";
import { parseSettings, Refusal } from "../lib/command-line.ts";

/** Options of `npm run dev`: our settings, and wrangler's options. */
export interface DevOptions {
  readonly vars: Readonly<Record<string, string>>;
  readonly others: readonly string[];
}

/** Takes `--var NAME:VALUE` out of the command line; the rest is for wrangler. Throws a Refusal. */
export function takeVariables(args: string[]): DevOptions {
  const { tokens } = parseArgs({ args, strict: false, tokens: true, options: { var: { type: "string" } } });
  const given = tokens.flatMap((token) => (token.kind === "option" && token.name === "var" ? [token] : []));
  const { settings, problems } = parseSettings(given.map(({ value = "" }) => value));
  if (problems.length > 0) throw new Refusal(problems);
  const ours = new Set(given.flatMap(({ index, inlineValue }) => (inlineValue ? [index] : [index, index + 1])));
  return { vars: settings, others: args.filter((_, index) => !ours.has(index)) };
}
