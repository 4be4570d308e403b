import { parseCommandLine, runTool } from "./lib/command-line.ts";

const USAGE = `usage: npm run help
  the commands of the first month, by purpose; each has --help`;

/** Commands by purpose, each with its description. */
const PURPOSES: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    "Try it",
    [
      ["npm start", "the whole product on this machine: no account, no network"],
      ["npm run help", "this screen"],
    ],
  ],
  [
    "Your schedule",
    [
      ["npm run schedule -- new --csv SHEET", "a schedule from a spreadsheet"],
      ["npm run schedule -- check", "file, place and rule of every error"],
      ["npm run rehearse -- FILE", "start with that file, check every figure, wallet and form"],
      ["npm run schedule -- publish", "record what has been published"],
      ["npm run schedule -- revise", "a delay, a burn, a moved wallet"],
    ],
  ],
  [
    "Go live",
    [
      ["npx wrangler login", "the platform's account"],
      ["npm run deploy -- --env staging", "upload, check, then serve; --dry-run"],
      ["npm run doctor -- ADDRESS", "problems that callers of the deployment see, with remedies"],
    ],
  ],
  [
    "Be listed, stay right",
    [
      ["npm run compare -- --old URL --new URL", "an earlier endpoint beside this one, for a day"],
      ["npm run listing -- --node URL --out DIR", "the sheets that trackers' forms ask for"],
      ["npm run trackers -- --coingecko ID", "what trackers display, beside our figures"],
      ["npm run history -- backfill|correct", "days before the first deployment; a wrong record"],
    ],
  ],
];

const WIDTH = Math.max(...PURPOSES.flatMap(([, commands]) => commands.map(([command]) => command.length)));

/** Writes the commands on one screen. */
export function helpScreen(): string {
  return PURPOSES.map(([purpose, commands]) =>
    [purpose, ...commands.map(([command, what]) => `  ${command.padEnd(WIDTH)}  ${what}`)].join("\n"),
  ).join("\n");
}

await runTool(import.meta.url, USAGE, (args) => {
  parseCommandLine(USAGE, { args });
  return helpScreen();
});
