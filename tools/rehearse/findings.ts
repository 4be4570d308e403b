import { tokenText, wholeTokens } from "../../src/chain/amount.ts";
import { rows, stepAt } from "../../src/supply/circulating.ts";
import { csvRow, scheduleView } from "../../src/supply/representations.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { nextUnlock } from "../../src/supply/unlock-events.ts";
import { dayText } from "../../src/utc.ts";

/** One line of the summary: what was compared, what it is, and what is wrong with it. */
export interface Finding {
  readonly what: string;
  readonly is: string;
  readonly problems: readonly string[];
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** What the product serves, compared with what the file says. */
export async function findings(url: string, schedule: Schedule, nowMs: number): Promise<Finding[]> {
  const get = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> => {
    const response = await fetch(url + path, { headers });
    return { status: response.status, type: response.headers.get("Content-Type") ?? "", text: await response.text() };
  };
  return [
    await figures(get, schedule, nowMs),
    await months(get, schedule),
    await chainFigures(get, schedule),
    await forms(get, schedule),
    await health(get),
  ];
}

type Get = (path: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;

async function figures(get: Get, schedule: Schedule, nowMs: number): Promise<Finding> {
  const { token, maxSupply } = schedule;
  const now = stepAt(schedule, nowMs);
  const expected = [
    ["/api/max-supply", wholeTokens(maxSupply, token.decimals)],
    ...(now === undefined ? [] : [["/api/circulating-supply", wholeTokens(now.circulating, token.decimals)] as const]),
  ] as const;
  const problems: string[] = [];
  for (const [path, figure] of expected) {
    const { status, text } = await get(path);
    if (status !== 200 || text !== figure) problems.push(`${path} answers ${status} ${text}, the file says ${figure}`);
  }
  const next = nextUnlock(schedule, nowMs);
  const circulating = now === undefined ? "not started" : `${tokenText(now.circulating, token.decimals)} circulate`;
  const unlocks =
    next === undefined
      ? "nothing unlocks any more"
      : `next ${tokenText(next.amount, token.decimals)} on ${dayText(next.atMs)}`;
  return {
    what: "figures",
    is: `${circulating} of ${tokenText(maxSupply, token.decimals)} ${token.symbol}, ${unlocks}`,
    problems,
  };
}

async function months(get: Get, schedule: Schedule): Promise<Finding> {
  const { status, text } = await get("/api/unlock-schedule");
  const all = rows(schedule);
  const isSame = status === 200 && text === JSON.stringify(scheduleView(schedule));
  const [first, last] = [all[0], all.at(-1)].map((row) =>
    row === undefined ? "" : csvRow(schedule, row).slice(0, 3).join(" "),
  );
  return {
    what: "months",
    is: `${all.length} rows, ${first} to ${last}`,
    problems: isSame ? [] : [`/api/unlock-schedule answers ${status} and is not what the file says`],
  };
}

/** Figures that are read from the embedded chain; a schedule without wallets has none of two of them. */
async function chainFigures(get: Get, schedule: Schedule): Promise<Finding> {
  const paths = ["total-supply", "circulating-supply-on-chain", "burned-supply"];
  const answers = await Promise.all(paths.map((path) => get(`/api/${path}?decimals=exact&format=plain`)));
  const isAbsent = ({ status, text }: Answer): boolean => status === 404 && text.includes("lists no wallet");
  const problems = answers.flatMap((answer, index) =>
    answer.status === 200 || isAbsent(answer) ? [] : [`/api/${paths[index]} answers ${answer.status} ${answer.text}`],
  );
  const shown = answers.flatMap((answer, index) => (answer.status === 200 ? [`${paths[index]} ${answer.text}`] : []));
  return { what: "on chain", is: `${shown.join(", ")} (${schedule.token.decimals} decimals)`, problems };
}

const JSON_TYPE = "application/json";
/** What trackers and pages are given, and how it begins. */
const FORMS = [
  ["/api/circulating-supply", {}, JSON_TYPE, /^\d+$/],
  ["/api/circulating-supply", { Accept: "text/plain" }, "text/plain", /^\d+$/],
  ["/api/circulating-supply?format=result", {}, JSON_TYPE, /^\{"result":"\d+"\}$/],
  ["/api/supply", {}, JSON_TYPE, /^\{"max":/],
  ["/api/allocations", {}, JSON_TYPE, /^\{/],
  ["/api/unlock-schedule.csv", {}, "text/csv", /^month,effective_from,/],
  ["/api/unlock-events.csv", {}, "text/csv", /^at,bucket,/],
  ["/api/unlock-events.ics", {}, "text/calendar", /^BEGIN:VCALENDAR/],
  ["/feed.atom", {}, "application/atom+xml", /^<\?xml/],
  ["/", {}, "text/html", /<html/],
] as const;

async function forms(get: Get, { token }: Schedule): Promise<Finding> {
  const problems: string[] = [];
  for (const [path, headers, type, begin] of FORMS) {
    const answer = await get(path, headers);
    const isTable = answer.status === 404 && path === "/api/allocations";
    if (!isTable && (answer.status !== 200 || !answer.type.startsWith(type) || !begin.test(answer.text)))
      problems.push(`${path} answers ${answer.status} ${answer.type} ${answer.text.slice(0, 60)}`);
  }
  const page = await get("/");
  if (!page.text.includes(token.symbol)) problems.push(`/ does not name ${token.symbol}`);
  return { what: "forms", is: `${FORMS.length} forms of trackers and pages, the page names ${token.symbol}`, problems };
}

async function health(get: Get): Promise<Finding> {
  const { status, text } = await get("/api/health");
  const body = JSON.parse(text) as { status?: string; problems?: readonly { message?: string }[] };
  const problems = (body.problems ?? []).map(({ message = "a problem without words" }) => message);
  const isHealthy = status === 200 && problems.length === 0;
  return {
    what: "health",
    is: body.status ?? "",
    problems: isHealthy ? [] : [`${status} ${body.status}`, ...problems],
  };
}
