import { scheduleErrorText } from "../src/supply/file/schedule-result.ts";
import { runChecks } from "./doctor/examine.ts";
import { type Baseline, type CheckResult, findingText, passedText } from "./doctor/finding.ts";
import { connectionTo } from "./doctor/network.ts";
import { firstChainNodesFinding, furtherChainFindings } from "./doctor/nodes.ts";
import { ratesFinding } from "./doctor/rates.ts";
import { receiversFinding } from "./doctor/receivers.ts";
import { withProduct } from "./doctor/rehearsal.ts";
import { metricsSourceAt, trafficFinding } from "./doctor/traffic.ts";
import { isSecret, productionSettings } from "./edge-settings.ts";
import { firstInFile } from "./first-chain.ts";
import {
  type CommandResult,
  EXIT,
  parseCommandLine,
  parseSettings,
  printText,
  Refusal,
  runTool,
} from "./lib/command-line.ts";
import { displayPath } from "./lib/display-path.ts";
import { readAddresses } from "./schedule/addresses.ts";
import { nativePath, REPOSITORY_FOLDER, readPublishedSchedule } from "./schedule/files.ts";
import { readRatesMapping } from "./schedule/rates.ts";
import { scheduleWarnings } from "./schedule/warnings.ts";
import { readWranglerFile } from "./wrangler-file.ts";

const HELP = `usage: npm run doctor -- https://the-address [--schedule FILE | --no-schedule]
  checks what callers of a deployment see, and reports each problem with its remedy
usage: npm run doctor -- --schedule FILE [--var NAME:VALUE]...      (npm run rehearse -- FILE)
  the same for a schedule that is not deployed: starts the whole product with that file on a free port, then stops it
  --schedule FILE   the schedule to compare with; by default schedule/native.json of this checkout
  --no-schedule     do not compare with a schedule
  --var NAME:VALUE  a setting of the product that is started, such as NODE_URLS:none
  with NODE_URLS, set as for a deployment: whether each node of an EVM chain can be read, and which routes a node of a
                    Move chain serves (its /spec.json) that /v1 does not pass on
  with rates.json: what it makes of the answer at RATES_URL
  with ALERT_WEBHOOK or HEARTBEAT_URL, set as for a deployment:  posts a test notice and a heartbeat, and reports the result
  with CLOUDFLARE_ACCOUNT_ID and CLOUDFLARE_API_TOKEN (Account Analytics / Read): requests of the last day, and the plan's
  --json            the result as one JSON object on standard output
  exit code: 0 without problems, 1 with problems, 2 for a wrong command line`;
const OPTIONS = {
  schedule: { type: "string" },
  "no-schedule": { type: "boolean", default: false },
  var: { type: "string", multiple: true },
} as const;
const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const NEXT = "Next: the forms of trackers (/docs/trackers of the deployment); npm run listing -- --help";

/**
 * Lists the steps that deploy the rehearsed file. `vars` are the rehearsal's settings, which the deployment needs too.
 */
function nextAfterRehearsal(vars: readonly string[]): string {
  const isHidden = (each: string): boolean =>
    isSecret(each.split(":", 1)[0] ?? "") && !/^NODE_URLS\w*:none$/i.test(each);
  const secrets = vars.filter(isHidden).map((each) => each.split(":", 1)[0]);
  const settings = vars
    .filter((each) => !isHidden(each))
    .map((each) => each.replace(/^(\w+):(.*)$/, '$1 = "$2"'))
    .join(" and ");
  return [
    "Next: make it schedule/native.json",
    "npm run schedule -- publish",
    ...(settings === ""
      ? []
      : [`${settings} under [env.production.vars] of wrangler.toml (PLAN = "free" too, if that is yours)`]),
    "commit",
    "npx wrangler login",
    `npm run deploy -- --env ${settings === "" ? "staging" : "production"}${secrets.length === 0 ? "" : ` --secrets-file FILE with ${secrets.join(" and ")}`}`,
  ].join(", ");
}

export async function doctor(args: string[]): Promise<CommandResult> {
  const { values, positionals } = parseCommandLine(HELP, { args, options: OPTIONS, allowPositionals: true });
  const [address] = positionals;
  const { schedule: file, "no-schedule": comparesNothing, var: vars = [] } = values;
  const isAddress = address !== undefined && /^https?:\/\//.test(address) && URL.canParse(address);
  if (
    positionals.length > 1 ||
    (address === undefined ? file === undefined : !isAddress) ||
    (file && comparesNothing) ||
    (address !== undefined && vars.length > 0)
  )
    throw new Refusal([HELP], EXIT.unusable);
  const given = parseSettings(vars);
  if (given.problems.length > 0) throw new Refusal(given.problems, EXIT.unusable);
  const first = firstInFile(given.settings);
  const path = file ?? nativePath({ folder: REPOSITORY_FOLDER, nowMs: Date.now() });
  const schedule = comparesNothing ? null : readPublishedSchedule(path, first);
  const addresses = comparesNothing ? null : readAddresses(REPOSITORY_FOLDER);
  const ratesMapping = comparesNothing ? null : readRatesMapping(REPOSITORY_FOLDER);
  if (address !== undefined)
    return report(new URL(address), { schedule, addresses, ratesMapping, isLocal: false }, productionSettings(), NEXT);
  for (const warning of schedule === null ? [] : scheduleWarnings(schedule, Date.now(), first))
    console.log(`warn  ${scheduleErrorText(displayPath(path), warning)}`);
  const starting = () => console.log(`starting the product with ${displayPath(path)}`);
  return withProduct(path, vars, starting, (url) =>
    report(url, { schedule, addresses, ratesMapping, isLocal: true }, given.settings, nextAfterRehearsal(vars)),
  );
}

/** Prints each finding as soon as it is known. */
async function report(
  url: URL,
  { schedule, addresses = null, ratesMapping = null, isLocal }: Baseline,
  settings: Readonly<Record<string, unknown>>,
  next: string,
): Promise<CommandResult> {
  const { problem, warning } = await connectionTo(url, Date.now());
  if (problem !== null) throw new Refusal([`network: ${problem}`]);
  const expected = { schedule, addresses, ratesMapping, isLocal: isLocal || LOCAL_HOST.test(url.hostname) };
  const ports = { fetch, now: () => Date.now(), pause, onWait: printText };
  const found: CheckResult[] = [];
  const add = (each: CheckResult): void => {
    found.push(each);
    printText(findingText(each));
  };
  if (warning !== null)
    add({ name: "network", isOfVersion: false, is: "the host answers", problems: [], warnings: [warning] });
  for (const each of await runChecks({ address: url.origin, override: null }, expected, ports)) add(each);
  const others = [
    async () => ({ calls: await firstChainNodesFinding(settings, schedule) }),
    () => furtherChainFindings(settings, schedule),
    async () => ({ rates: await ratesFinding(url.origin, settings["RATES_URL"], ratesMapping, fetch) }),
    async () => ({ traffic: await trafficAt(url) }),
    async () =>
      isLocal ? {} : { receivers: await receiversFinding(receiversIn(settings), url.host, Date.now(), fetch) },
  ];
  // The checks run one after the other, because each finding is printed at once; nodes may take half a minute.
  for (const find of others)
    for (const [name, finding] of Object.entries(await find()))
      if (finding !== null) add({ name, isOfVersion: false, ...finding });
  const isPassed = found.every(({ problems }) => problems.length === 0);
  const checks = found.map(({ name, is, problems, warnings = [] }) => ({ name, is, problems, warnings }));
  return {
    text: isPassed ? `${passedText(found)}\n${next}` : passedText(found),
    exitCode: isPassed ? 0 : EXIT.failed,
    members: { address: url.origin, is_passed: isPassed, checks },
  };
}

function receiversIn({ ALERT_WEBHOOK, HEARTBEAT_URL }: Readonly<Record<string, unknown>>) {
  return { alertWebhook: ALERT_WEBHOOK?.toString(), heartbeatUrl: HEARTBEAT_URL?.toString() };
}

/** Reads the traffic of a deployment; null without a token, or for an address that wrangler.toml does not have. */
async function trafficAt(url: URL) {
  if (!process.env["CLOUDFLARE_API_TOKEN"]) return null;
  const section = metricsSourceAt(url, readWranglerFile());
  return section === null ? null : trafficFinding(section, process.env, fetch);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

await runTool(import.meta.url, HELP, doctor, { hasJson: true });
