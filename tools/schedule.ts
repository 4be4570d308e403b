import { productionSettings } from "./edge-settings.ts";
import {
  type CommandResult,
  EXIT,
  parseCommandLine,
  Refusal,
  runTool,
  textOptions,
  usageOf,
} from "./lib/command-line.ts";
import { buildSchedule } from "./schedule/build.ts";
import { checkedFile, checkFiles, publish } from "./schedule/check.ts";
import { CONVERT_USAGE, convert } from "./schedule/convert.ts";
import { defillamaFile } from "./schedule/defillama.ts";
import { diff } from "./schedule/diff.ts";
import {
  nativePath,
  REPOSITORY_FOLDER,
  readSchedule,
  type ScheduleContext,
  unlockScheduleOf,
} from "./schedule/files.ts";
import { IMPORT_OPTIONS, IMPORT_USAGE, importSchedule } from "./schedule/import.ts";
import { movedFigures } from "./schedule/moved-figures.ts";
import { notRead, onChainComparisonLines } from "./schedule/moved-values.ts";
import { NEW_OPTIONS, NEW_USAGE, newFromSheet, tableTemplate } from "./schedule/new.ts";
import { circulatingSupplyLine, print } from "./schedule/print.ts";
import { REVISE_USAGE } from "./schedule/revise/flags.ts";
import { type RevisionOutcome, revise } from "./schedule/revise.ts";
import { terminalOf } from "./schedule/terminal.ts";
import { VERIFY_USAGE, verify } from "./schedule/verify.ts";
import { newFromWallets, WALLETS_OPTIONS, WALLETS_USAGE } from "./schedule/wallets/new.ts";

const USAGE = `usage: npm run schedule -- COMMAND [--json]
  check [FILE]                                  check a file; without FILE the bundled one, its published past and the examples
  print [FILE] [--format table|csv|json]        every row
  at INSTANT [FILE]                             whole tokens, a tab, base units; INSTANT: now, 2026-03-12, 2026-03-12T00:00:00Z
  diff OLD NEW                                  what changes, month by month
  build                                         check, then write dist/schedule.js, which the Worker imports
  publish [--because REASON] [--served]         record the steps that have passed in published.csv; REASON: why recorded months change;
                                                --served: a deployment has served them; \`npm run deploy\` sets it itself
  export --to defillama [FILE]                  DefiLlama's emissions file
  ${REVISE_USAGE}
  ${CONVERT_USAGE}
  ${IMPORT_USAGE}
  ${VERIFY_USAGE}
  ${NEW_USAGE}
  ${WALLETS_USAGE}`;

/**
 * Runs one command and returns its output. Unlike {@link schedule} it also runs commands that wait: `new` for a
 * workbook, `import` for an isolate, `verify` and `revise` for nodes.
 */
export async function runSchedule(
  [command, ...args]: readonly string[],
  context: ScheduleContext,
): Promise<string | CommandResult> {
  const usage = usageOf(USAGE, command ?? "");
  if (command === "new" && args.some((word) => /^--wallets(=|$)/.test(word))) {
    const help = `usage: npm run schedule -- ${WALLETS_USAGE}`;
    return newFromWallets(context, parseCommandLine(help, { args, options: WALLETS_OPTIONS }).values);
  }
  if (command === "new")
    return newFromSheet(context, parseCommandLine(usage, { args, options: NEW_OPTIONS }).values, terminalOf());
  if (command === "template")
    return tableTemplate(parseCommandLine(usage, { args, options: textOptions("rows") }).values.rows);
  if (command === "import") {
    const { values, positionals } = parseCommandLine(usage, { args, options: IMPORT_OPTIONS, allowPositionals: true });
    const [file = ""] = operands(positionals, 1, 1, usage);
    return importSchedule(context, file, values);
  }
  if (command === "revise") {
    const revised = revise(context, args);
    const { before, after } = revised;
    const names = movedFigures(before, after, false);
    if (names.length === 0) return reportWithoutNodes(revised);
    return revised.report(await onChainComparisonLines([before, after], names, productionSettings(), context.nowMs));
  }
  if (command === "check") {
    const text = schedule([command, ...args], context);
    return { text, members: checkedFile(context, args[0] ?? nativePath(context)) };
  }
  if (command !== "verify") return schedule(command === undefined ? [] : [command, ...args], context);
  const options = { ...textOptions("asset", "pools"), node: { type: "string", multiple: true } } as const;
  const { values, positionals } = parseCommandLine(usage, { args, options, allowPositionals: true });
  const [file] = operands(positionals, 0, 1, usage);
  const { node: nodes = [], asset, pools } = values;
  return verify(readSchedule(file ?? nativePath(context), context.first), { nodes, asset, pools });
}

/** Next command after a check without errors; never one that would be refused. */
function afterCheck(context: ScheduleContext, file: string | undefined): string {
  if (file !== undefined) return `npm run rehearse -- ${file}`;
  const { sample } = readSchedule(nativePath(context));
  return sample ? "npm run schedule -- new, because a deployment refuses sample data" : "npm run deploy";
}

function unlocksIn(context: ScheduleContext, file: string | undefined) {
  return unlockScheduleOf(readSchedule(file ?? nativePath(context), context.first));
}

/** Runs a command that waits for nothing. Throws a {@link Refusal} with one line per error. */
export function schedule([command, ...args]: readonly string[], context: ScheduleContext): string {
  const usage = usageOf(USAGE, command ?? "");
  switch (command) {
    case "check": {
      const [file] = operands(args, 0, 1, usage);
      return `${checkFiles(context, file)}\nNext: ${afterCheck(context, file)}`;
    }
    case "print": {
      const { values, positionals } = parseCommandLine(usage, {
        args,
        options: textOptions("format"),
        allowPositionals: true,
      });
      const [file] = operands(positionals, 0, 1, usage);
      return print(unlocksIn(context, file), values.format ?? "table");
    }
    case "at": {
      const [instant = "", file] = operands(args, 1, 2, usage);
      return circulatingSupplyLine(context, unlocksIn(context, file), instant);
    }
    case "diff": {
      const [old = "", changed = ""] = operands(args, 2, 2, usage);
      return diff(context, readSchedule(old, context.first), readSchedule(changed, context.first));
    }
    case "build":
      operands(args, 0, 0, usage);
      checkFiles(context, undefined);
      buildSchedule(nativePath(context), undefined, context.first);
      return "dist/schedule.js: written";
    case "publish": {
      const { values } = parseCommandLine(usage, {
        args,
        options: { ...textOptions("because"), served: { type: "boolean" } },
      });
      if (values.because?.trim() === "") throw new Refusal(["--because: must say why, in words"], EXIT.unusable);
      return publish(context, { because: values.because, isServed: values.served });
    }
    case "export": {
      const { values, positionals } = parseCommandLine(usage, {
        args,
        options: textOptions("to"),
        allowPositionals: true,
      });
      const [file] = operands(positionals, 0, 1, usage);
      if (values.to !== "defillama")
        throw new Refusal([`--to: must be defillama, not ${values.to ?? "nothing"}`], EXIT.unusable);
      return defillamaFile(unlocksIn(context, file));
    }
    case "convert": {
      const options = textOptions("id", "label", "rest");
      const { values, positionals } = parseCommandLine(usage, { args, options, allowPositionals: true });
      return convert(context, operands(positionals, 0, 1, usage)[0], values);
    }
    case "revise":
      return reportWithoutNodes(revise(context, args));
    default:
      throw new Refusal([...(command === undefined ? [] : [`${command} is not a command`]), USAGE], EXIT.unusable);
  }
}

/** Writes the report of a revision without asking nodes. */
function reportWithoutNodes({ before, after, report }: RevisionOutcome): string {
  return report(movedFigures(before, after, false).length === 0 ? [] : notRead("NODE_URLS is not given here"));
}

function operands(args: readonly string[], min: number, max: number, usage: string): readonly string[] {
  if (args.length < min || args.length > max || args.some((arg) => arg.startsWith("-")))
    throw new Refusal(
      [
        `takes ${min === max ? min : `${min} or ${max}`} ${max === 1 ? "word" : "words"} after the command, not ${JSON.stringify(args.join(" "))}; ${usage}`,
      ],
      EXIT.unusable,
    );
  return args;
}

await runTool(import.meta.url, USAGE, (words) => runSchedule(words, { folder: REPOSITORY_FOLDER, nowMs: Date.now() }), {
  prefix: "",
  hasJson: true,
});
