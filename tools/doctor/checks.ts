import { addressFinding } from "./addresses.ts";
import { figureFinding, formFinding, healthFinding, nodeFinding, onChainFinding, scheduleFinding } from "./figures.ts";
import type { Check } from "./finding.ts";
import { type Answer, type Answers, isAway, parseObject } from "./probe.ts";

const MAX_CLOCK_SECONDS = 10;
const MAX_AGE_SECONDS = 300;

/** Checks in the order in which an operator should fix their problems. */
export const CHECKS: readonly Check[] = [
  { name: "figures", isOfVersion: true, find: figureFinding },
  { name: "schedule", isOfVersion: true, find: scheduleFinding },
  { name: "health", isOfVersion: false, find: healthFinding },
  { name: "on chain", isOfVersion: false, find: onChainFinding },
  { name: "nodes", isOfVersion: false, find: nodeFinding },
  { name: "forms", isOfVersion: true, find: formFinding },
  { name: "addresses", isOfVersion: true, find: addressFinding },
  {
    name: "access",
    isOfVersion: false,
    find: finding("scripts and trackers' clients get what browsers get", accessProblems),
  },
  {
    name: "errors",
    isOfVersion: true,
    find: finding("an unknown path answers 404 with an Error object", errorProblems),
  },
  { name: "limits", isOfVersion: true, find: finding("RateLimit fields on every response", limitProblems) },
  {
    name: "caching",
    isOfVersion: true,
    find: finding("no copy outlives its time, conditional requests work", cachingProblems),
  },
  { name: "CORS", isOfVersion: true, find: finding("any page may read the responses", corsProblems) },
  { name: "versions", isOfVersion: true, find: finding("version 1, others are refused", versionProblems) },
  { name: "clock", isOfVersion: false, find: finding("right to ten seconds", clockProblems) },
];

function finding(is: string, problems: (answers: Answers) => readonly string[]): Check["find"] {
  return (answers) => ({ is, problems: problems(answers) });
}

/** Checks that trackers' scripts get the same responses as browsers. */
function accessProblems({ script, max, trackers }: Answers): string[] {
  const blocked = (who: string, answer: Answer) =>
    `${who} gets ${answer.status}, ${isHtml(answer) ? "a challenge or block page" : "another answer"}; turn off Browser Integrity Check and bot protection for this host`;
  return [
    ...(script.status === max.status ? [] : [blocked("a plain script", script)]),
    // An Error object comes from the deployment, so nothing blocks the client; the health check explains the error.
    ...trackers.flatMap((answer) =>
      (answer.status === 200 && /^\d+$/.test(answer.body)) || parseObject(answer.body)?.["error_code"] !== undefined
        ? []
        : [blocked(`CoinGecko's client asking for ${answer.path}`, answer)],
    ),
  ];
}

function errorProblems({ unknownPath }: Answers): string[] {
  const body = parseObject(unknownPath.body);
  if (unknownPath.status === 404 && body?.["error_code"] === "not_found") return [];
  return [
    `an unknown path answers ${unknownPath.status} ${isHtml(unknownPath) ? "with a page" : ""} instead of 404 with error_code not_found; remove custom error pages for /api`,
  ];
}

function limitProblems({ figure, unknownPath, health }: Answers): string[] {
  const limiter = parseObject(health.body)?.["limiter"] as
    | { readonly policies?: { readonly default?: string } }
    | undefined;
  const stated = limiter?.policies?.default;
  if (stated === undefined) return ["health has no limiter.policies.default, so another service answers /api/health"];
  const [quota, seconds] = stated.split("/");
  const answers = [figure, unknownPath];
  if (answers.some(({ headers }) => !/^default;r=\d+;t=\d+$/.test(headers.get("RateLimit") ?? "")))
    return ["responses have no RateLimit field; something in front removes headers"];
  return answers.some(({ headers }) => headers.get("RateLimit-Policy") !== `default;q=${quota};w=${seconds}`)
    ? [`RateLimit-Policy is ${JSON.stringify(figure.headers.get("RateLimit-Policy"))}, health says ${stated}`]
    : [];
}

function cachingProblems({ figure, repeated, conditional, hasStarted }: Answers): string[] {
  const id = figure.headers.get("X-Request-Id");
  const field = figure.headers.get("Cache-Control") ?? "";
  const [, maxAge] = /^public, max-age=(\d+)$/.exec(field) ?? [];
  return [
    ...(id !== null && id === repeated.headers.get("X-Request-Id")
      ? ["two requests got the same stored response, with one caller's quota; remove the cache rule for /api"]
      : []),
    // Before the start the only figure is the maximum, which may be cached for longer.
    ...(!isAway(figure) && (maxAge === undefined || (hasStarted && Number(maxAge) > MAX_AGE_SECONDS))
      ? [
          `Cache-Control of the figure is ${JSON.stringify(field)}, not at most ${MAX_AGE_SECONDS} s; set Browser Cache TTL to respect headers`,
        ]
      : []),
    ...(conditional.status === 304
      ? []
      : ["a conditional request is not answered 304; something in front changes ETag"]),
  ];
}

function corsProblems({ figure, preflight }: Answers): string[] {
  const origin = figure.headers.get("Access-Control-Allow-Origin");
  const exposed = (figure.headers.get("Access-Control-Expose-Headers") ?? "").toLowerCase();
  if (origin !== "*" || !exposed.includes("ratelimit"))
    return [
      "browsers on other sites cannot read the answers (CORS fields are missing); remove header rules for this host",
    ];
  return preflight.status === 204 ? [] : [`a preflight answers ${preflight.status}, not 204; let OPTIONS through`];
}

function versionProblems({ figure, version }: Answers): string[] {
  const served = figure.headers.get("X-API-Version");
  return [
    ...(served === "1"
      ? []
      : [`answers name version ${JSON.stringify(served)}, not 1; something in front removes headers`]),
    ...(version.status === 400
      ? []
      : [`X-API-Version: 9 is answered ${version.status}, not 400; something in front removes request headers`]),
  ];
}

function clockProblems({ figure }: Answers): string[] {
  const date = Date.parse(figure.headers.get("Date") ?? "");
  if (Number.isNaN(date)) return [];
  const seconds = Math.round((date - figure.atMs) / 1000);
  return Math.abs(seconds) <= MAX_CLOCK_SECONDS
    ? []
    : [`the clocks differ by ${seconds} s; check this machine's clock first, because the platform's is rarely wrong`];
}

function isHtml({ headers }: Answer): boolean {
  return (headers.get("Content-Type") ?? "").startsWith("text/html");
}
