import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/**
 * The options of the command line. `--help` prints the help and ends the process; anything unknown ends it with one line
 * that has the help's first line, the usage.
 */
export function commandOptions<const Options extends ParseArgsOptionsConfig>(help: string, options: Options) {
  const words = process.argv.slice(2);
  if (words.includes("--help") || words.includes("-h")) {
    console.log(help);
    process.exit(0);
  }
  try {
    return parseArgs({ args: words, options }).values;
  } catch (cause) {
    const what = cause instanceof Error ? cause.message.split(". ", 1)[0] : "wrong arguments";
    console.error(`${what}; ${help.split("\n", 1)[0]}`);
    process.exit(1);
  }
}
