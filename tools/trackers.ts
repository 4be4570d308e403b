import { deploymentUrl } from "./deployment-url.ts";
import { EXIT, parseCommandLine, printText, Refusal, runTool } from "./lib/command-line.ts";
import { aligned } from "./schedule/print.ts";
import { type ComparedFigure, compareDisplayed, ourFiguresAt } from "./trackers/compare.ts";
import { displayedBy, TRACKERS, type Tracker } from "./trackers/displayed.ts";

const HELP = `usage: npm run trackers -- [--coingecko ID] [--cmc ID] [--tolerance 0.5%] [--url ADDRESS]
  compares the figures that trackers display with the deployment's, and names the definition that each one matches
  --coingecko       "API ID" on the token's page; a key, if there is one, is taken from COINGECKO_API_KEY
  --cmc             "UCID" on the token's page; the key is taken from CMC_API_KEY
  --tolerance       how far a figure may be from ours; 0.5% by default
  --url             address of the deployment; by default the custom domain of production in wrangler.toml
  --coingecko-api, --cmc-api   another address of the tracker's API
  exit code: 0 when all figures are right, 1 when one is wrong or a token is renamed or missing, 2 when it is not known:
  a wrong option or key, or a tracker or deployment that does not respond`;
const TEXT = { type: "string" } as const;
const OPTIONS = {
  coingecko: TEXT,
  cmc: TEXT,
  "coingecko-api": TEXT,
  "cmc-api": TEXT,
  tolerance: { type: "string", default: "0.5%" },
  url: TEXT,
} as const;

export async function trackers(words: string[]): Promise<number> {
  const { values } = parseCommandLine(HELP, { args: words, options: OPTIONS });
  const [, percent] = /^(\d{1,2}(?:\.\d+)?)%?$/.exec(values.tolerance) ?? [];
  const asked = (["coingecko", "cmc"] as const).flatMap((name) => {
    const [id, url] = [values[name], values[`${name}-api`]];
    const tracker: Tracker = { ...TRACKERS[name], ...(url === undefined ? {} : { url }) };
    return id === undefined ? [] : [{ tracker, id, key: process.env[tracker.key.variable] || undefined }];
  });
  const problems = [
    ...(percent === undefined ? ["--tolerance: must be a percentage below 100, such as 0.5%"] : []),
    ...(asked.length === 0 ? ["give --coingecko ID, --cmc ID or both"] : []),
    ...asked.flatMap(({ id }) => (/^[\w-]{1,100}$/.test(id) ? [] : ["a tracker's id has letters, digits and - only"])),
    ...asked.flatMap(
      ({
        key,
        tracker: {
          name,
          key: { isRequired, variable },
        },
      }) =>
        key === undefined && isRequired ? [`${variable}: missing in the environment; ${name} has a free key`] : [],
    ),
  ];
  if (problems.length > 0) throw new Refusal(problems, EXIT.unusable);
  const url = deploymentUrl(values.url);
  const ours = await ourFiguresAt(url);
  if ("problem" in ours) return report([`our figures are not known: ${url}: ${ours.problem}`], 2);
  const lines: string[] = [];
  const codes: number[] = [0];
  const cells = [["tracker", "figure", "displays", "must be", "ours", "matches", "verdict"]];
  for (const each of asked) {
    const { name } = each.tracker;
    const displayed = await displayedBy({ ...each, symbol: ours.symbol });
    if (displayed.kind !== "displayed") {
      lines.push(`${name} ${displayed.message}`);
      codes.push(displayed.kind === "renamed" || displayed.kind === "missing" ? 1 : 2);
      continue;
    }
    const found = compareDisplayed(displayed, ours, Number(percent));
    cells.push(...found.map((row) => [name, ...textsOf(row)]));
    codes.push(...found.map(({ isRight }) => (isRight ? 0 : 1)));
  }
  if (cells.length > 1) lines.unshift(aligned(cells));
  // A wrong figure decides the exit code even if another tracker did not respond.
  return report(lines, codes.includes(1) ? 1 : Math.max(...codes));
}

function textsOf({ field, displayed, expected, ours, matches, isRight }: ComparedFigure): string[] {
  const text = (figure: number | null): string => (figure === null ? "none" : String(figure));
  const verdict = isRight ? "right" : "WRONG";
  return [field, text(displayed), expected, text(ours), matches.join(", ") || "none", verdict];
}

function report(lines: readonly string[], code: number): number {
  printText(lines.join("\n"));
  return code;
}

await runTool(import.meta.url, HELP, trackers);
