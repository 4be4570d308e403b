import { wholeTokens } from "../../src/chain/amount.ts";
import { stepAt } from "../../src/supply/circulating.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import type { Answer, Answers } from "./probe.ts";

/** What the deployment is compared with. */
export interface Expected {
  /** The schedule file of this checkout; null: there is none, or it is not compared. */
  readonly schedule: Schedule | null;
  readonly isLocal: boolean;
}

export interface Check {
  readonly name: string;
  /** Problems, each a plain sentence with the remedy. */
  readonly problems: (answers: Answers, expected: Expected) => readonly string[];
}

const MAX_CLOCK_SECONDS = 10;
const MAX_AGE_SECONDS = 300;
const MAX_LEDGER_SECONDS = 120;

/** In the order in which an operator should fix them. */
export const CHECKS: readonly Check[] = [
  { name: "figures", problems: figureProblems },
  { name: "schedule", problems: scheduleProblems },
  { name: "health", problems: healthProblems },
  { name: "chain", problems: chainProblems },
  { name: "access", problems: accessProblems },
  { name: "errors", problems: errorProblems },
  { name: "limits", problems: limitProblems },
  { name: "caching", problems: cachingProblems },
  { name: "CORS", problems: corsProblems },
  { name: "versions", problems: versionProblems },
  { name: "clock", problems: clockProblems },
];

function figureProblems({ circulating, max, health }: Answers): string[] {
  const hasStarted = parse(health.body)?.["status"] !== "not_started";
  return [
    ...(hasStarted ? [["/api/circulating-supply", circulating] as const] : []),
    ["/api/max-supply", max] as const,
  ].flatMap(([path, { status, body }]) => {
    if (status !== 200) return [`${path} answers ${status} instead of a number; see the health problems below`];
    if (/^(0|[1-9]\d*)$/.test(body)) return [];
    return [`${path} is not digits alone (${JSON.stringify(body.slice(0, 24))}); something in front rewrites bodies`];
  });
}

function scheduleProblems({ circulating, max, schedule }: Answers, expected: Expected): string[] {
  if (expected.schedule === null) return [];
  const published = parse(schedule.body);
  const local = expected.schedule;
  const revision = published?.["revision"];
  if (revision !== local.revision)
    return [
      `the deployment serves schedule revision ${String(revision)}, the file here is revision ${local.revision}; deploy it`,
    ];
  const step = stepAt(local, circulating.atMs);
  const tokens = (units: bigint) => String(wholeTokens(units, local.token.decimals));
  const wrong = (path: string, body: string, wanted: string) =>
    body === wanted
      ? []
      : [`${path} is ${body.slice(0, 40)}, the schedule file here says ${wanted}; deploy it or correct it`];
  return [
    ...(step === undefined ? [] : wrong("/api/circulating-supply", circulating.body, tokens(step.circulating))),
    ...wrong("/api/max-supply", max.body, tokens(local.maxSupply)),
  ];
}

function healthProblems({ health }: Answers, { isLocal }: Expected): string[] {
  const report = parse(health.body);
  if (report === null)
    return [`/api/health answers ${health.status} without a report; this is not a working deployment`];
  const problems = Array.isArray(report["problems"]) ? report["problems"] : [];
  const revision = report["build_revision"];
  const named = problems.map(
    (problem) => `health says ${String(problem?.code)} (${String(problem?.subject)}): ${String(problem?.message)}`,
  );
  const unnamed = ["unknown", "local"].includes(String(revision)) && !isLocal;
  return [...named, ...(unnamed ? ["the build names no revision; deploy with `npm run deploy`"] : [])];
}

function chainProblems({ node }: Answers): string[] {
  // Only a deployment that does not serve the node interface (NODE_GATEWAY) has no such path.
  if (node.status === 404) return [];
  if (node.status !== 200) return [`/v1 answers ${node.status}: no chain node can be reached; check NODE_URLS`];
  const ledger = parse(node.body);
  const seconds = (node.atMs - Number(ledger?.["ledger_timestamp"]) / 1000) / 1000;
  if (!Number.isFinite(seconds)) return ["/v1 is not a node's ledger information; check that NODE_URLS end in /v1"];
  return seconds > MAX_LEDGER_SECONDS
    ? [`the newest block is ${Math.round(seconds)} s old: the chain or its node has stopped; check NODE_URLS`]
    : [];
}

/** Trackers' scripts must get the same responses as browsers. */
function accessProblems({ script, max, trackers }: Answers): string[] {
  const blocked = (who: string, answer: Answer) =>
    `${who} gets ${answer.status}, ${isHtml(answer) ? "a challenge or block page" : "another answer"}; turn off Browser Integrity Check and bot protection for this host`;
  return [
    ...(script.status === max.status ? [] : [blocked("a plain script", script)]),
    // An Error object is the deployment's own answer, which health explains.
    ...trackers.flatMap(({ path, answer }) =>
      (answer.status === 200 && /^\d+$/.test(answer.body)) || parse(answer.body)?.["error_code"] !== undefined
        ? []
        : [blocked(`CoinGecko's client asking for ${path}`, answer)],
    ),
  ];
}

function errorProblems({ unknownPath }: Answers): string[] {
  const body = parse(unknownPath.body);
  if (unknownPath.status === 404 && body?.["error_code"] === "not_found") return [];
  return [
    `an unknown path answers ${unknownPath.status} ${isHtml(unknownPath) ? "with a page" : ""} instead of 404 with error_code not_found; remove custom error pages for /api`,
  ];
}

function limitProblems({ circulating, unknownPath, health }: Answers): string[] {
  const policy = parse(health.body)?.["limiter"] as { readonly policies?: { readonly default?: string } } | undefined;
  const [quota, seconds] = (policy?.policies?.default ?? "60/60").split("/");
  const answers = [circulating, unknownPath];
  if (answers.some(({ headers }) => !/^default;r=\d+;t=\d+$/.test(headers.get("RateLimit") ?? "")))
    return ["answers carry no RateLimit field; something in front removes headers"];
  return answers.some(({ headers }) => headers.get("RateLimit-Policy") !== `default;q=${quota};w=${seconds}`)
    ? [
        `RateLimit-Policy is ${JSON.stringify(circulating.headers.get("RateLimit-Policy"))}, health says ${quota}/${seconds}`,
      ]
    : [];
}

function cachingProblems({ circulating, repeated, conditional }: Answers): string[] {
  const id = circulating.headers.get("X-Request-Id");
  const [, maxAge] = /^public, max-age=(\d+)$/.exec(circulating.headers.get("Cache-Control") ?? "") ?? [];
  return [
    ...(id !== null && id === repeated.headers.get("X-Request-Id")
      ? ["two requests got one stored answer, with one caller's quota in it; remove the cache rule for /api"]
      : []),
    ...(maxAge === undefined || Number(maxAge) > MAX_AGE_SECONDS
      ? [
          `Cache-Control of the figure is ${JSON.stringify(circulating.headers.get("Cache-Control"))}, not at most ${MAX_AGE_SECONDS} s; set Browser Cache TTL to respect headers`,
        ]
      : []),
    ...(conditional.status === 304
      ? []
      : ["a conditional request is not answered 304; something in front changes ETag"]),
  ];
}

function corsProblems({ circulating, preflight }: Answers): string[] {
  const origin = circulating.headers.get("Access-Control-Allow-Origin");
  const exposed = (circulating.headers.get("Access-Control-Expose-Headers") ?? "").toLowerCase();
  if (origin !== "*" || !exposed.includes("ratelimit"))
    return [
      "browsers on other sites cannot read the answers (CORS fields are missing); remove header rules for this host",
    ];
  return preflight.status === 204 ? [] : [`a preflight answers ${preflight.status}, not 204; let OPTIONS through`];
}

function versionProblems({ circulating, version }: Answers): string[] {
  const served = circulating.headers.get("X-API-Version");
  return [
    ...(served === "1"
      ? []
      : [`answers name version ${JSON.stringify(served)}, not 1; something in front removes headers`]),
    ...(version.status === 400
      ? []
      : [`X-API-Version: 9 is answered ${version.status}, not 400; something in front removes request headers`]),
  ];
}

function clockProblems({ circulating }: Answers): string[] {
  const date = Date.parse(circulating.headers.get("Date") ?? "");
  if (Number.isNaN(date)) return [];
  const seconds = Math.round((date - circulating.atMs) / 1000);
  return Math.abs(seconds) <= MAX_CLOCK_SECONDS
    ? []
    : [`the clocks differ by ${seconds} s; check this machine's clock first, the platform's is rarely wrong`];
}

function isHtml({ headers }: Answer): boolean {
  return (headers.get("Content-Type") ?? "").startsWith("text/html");
}

/** An object, or null for anything else. */
function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null;
  } catch {
    return null;
  }
}
