import nodeDocument from "../../openapi/node.json" with { type: "json" };
import publicDocument from "../../openapi/public.json" with { type: "json" };
import { undocumented } from "../support/documented.ts";
import { errorFaults } from "./errors.ts";
import { runtimeRefusal } from "./runtime.ts";
import { pathsOf, type Shot, sent } from "./shot.ts";
import type { Answer, NoAnswer } from "./wire.ts";

/** What a judge knows besides the request. */
export interface Bench {
  /** False while a fuzzer runs without a chain: figures fed by it and reads of it may then be 503. */
  readonly chain: boolean;
  /** Texts that no answer may hold: addresses of upstreams, secrets. */
  readonly secrets: readonly string[];
}

export type Surface = "api" | "node" | "faucet";

/** Who answered, and everything that is wrong with it, in words. */
export interface Verdict {
  readonly by: "product" | "page" | "runtime" | "nobody";
  readonly faults: readonly string[];
}

/** Holds one answer against everything that is promised of all answers. */
export function judge(shot: Shot, answer: Answer | NoAnswer, bench: Bench): Verdict {
  if (runtimeRefusal(shot, answer) !== null) return { by: "runtime", faults: [] };
  if (answer.kind === "none") return { by: "nobody", faults: [`no answer: ${answer.reason}`] };
  const verdict = judged(shot, answer, bench);
  // In front of a development server whatever asks for a WebSocket becomes a GET.
  const upgraded = sent(shot, "upgrade")?.toLowerCase() === "websocket" && shot.method !== "GET";
  return upgraded && verdict.faults.length > 0 ? judged({ ...shot, method: "GET" }, answer, bench) : verdict;
}

/** By the reading of its path that an answer agrees with best. */
function judged(shot: Shot, answer: Answer, bench: Bench): Verdict {
  const verdicts = pathsOf(shot).map((path) => judgedAs(path, shot, answer, bench));
  const [best] = verdicts.sort((a, b) => a.faults.length - b.faults.length);
  return best ?? { by: "product", faults: ["a target that is no path was served"] };
}

function judgedAs(path: string, shot: Shot, answer: Answer, bench: Bench): Verdict {
  if (isPage(path) && !answer.fields.has("ratelimit")) return { by: "page", faults: pageFaults(answer) };
  const surface = surfaceOf(path);
  const faults = [
    ...callerFields(surface, answer),
    ...crossOrigin(surface, shot, answer),
    ...statusFaults(shot, answer, bench),
    ...bodyFaults(shot, path, answer),
    ...(answer.status >= 400 && shot.method !== "HEAD" ? errorFaults(surface, answer) : []),
    ...leaks(shot, answer, bench),
    ...documentFaults(shot, path, surface, answer),
  ];
  return { by: "product", faults: [...new Set(faults)] };
}

const PAGE = /^\/+(?:(?:index|docs|docs\/|docs\/index)(?:\.html)?|favicon\.svg|assets\/[^/]+)?$/;

function isPage(path: string): boolean {
  return PAGE.test(decoded(path));
}

/** Static assets: the platform serves them, without quota. */
function pageFaults({ status, fields }: Answer): string[] {
  const location = fields.get("location")?.[0] ?? "/";
  return [
    ...([200, 304, 307, 405].includes(status) ? [] : [`the page answers ${status}`]),
    ...(/^\/(?!\/)/.test(location) ? [] : [`the page redirects to ${location}`]),
    ...(one(fields, "x-content-type-options") === "nosniff" ? [] : ["the page's type may be guessed"]),
  ];
}

function surfaceOf(path: string): Surface {
  if (path === "/mint" || path === "/fund") return "faucet";
  return path === "/v1" || path.startsWith("/v1/") ? "node" : "api";
}

/** Fields that every answer carries, exactly once. */
function callerFields(surface: Surface, { fields }: Answer): string[] {
  const policy = surface === "node" ? "node" : "default";
  const wanted: Record<string, RegExp> = {
    ratelimit: new RegExp(`^${policy};r=\\d+;t=\\d+$`),
    "ratelimit-policy": new RegExp(`^${policy};q=\\d+;w=\\d+$`),
    "x-request-id": /^[0-9a-f-]{13}-[0-9a-z]+$/,
    "x-content-type-options": /^nosniff$/,
    "cross-origin-resource-policy": /^cross-origin$/,
  };
  const faults = Object.entries(wanted).flatMap(([name, form]) =>
    form.test(one(fields, name)) ? [] : [`${name} is ${JSON.stringify(fields.get(name) ?? null)}`],
  );
  const [left, quota] = [
    /r=(\d+);t=(\d+)/.exec(one(fields, "ratelimit")),
    /q=(\d+);w=(\d+)/.exec(one(fields, "ratelimit-policy")),
  ];
  if (Number(left?.[1]) > Number(quota?.[1]) || Number(left?.[2]) > Number(quota?.[2]))
    faults.push("more is left than there ever was");
  for (const name of ["set-cookie", "server", "x-powered-by", "access-control-allow-credentials, *"])
    if (fields.has(name)) faults.push(`${name} is sent`);
  return faults;
}

function crossOrigin(surface: Surface, shot: Shot, { fields }: Answer): string[] {
  const allowed = one(fields, "access-control-allow-origin");
  if (surface !== "node") return allowed === "*" ? [] : [`access-control-allow-origin is ${allowed}`];
  const vary = one(fields, "vary").toLowerCase();
  const faults = /(^|, *)origin(,|$)/.test(vary) ? [] : [`vary is ${vary}`];
  const origin = sent(shot, "origin") ?? "";
  if (/^[, ]*$/.test(origin)) return allowed === "" ? faults : [...faults, "an origin is allowed that did not ask"];
  // Only plain ASCII is compared byte by byte.
  if (/^[\x20-\x7e]*$/.test(origin) && allowed !== origin) faults.push(`origin ${origin} is allowed as ${allowed}`);
  if (one(fields, "access-control-allow-credentials") !== "true") faults.push("credentials are not allowed");
  return faults;
}

function statusFaults(shot: Shot, { status }: Answer, { chain }: Bench): string[] {
  if (status === 500 || status < 200) return [`status ${status}`];
  // Whoever asks for a version to come, or how old the tip may be, may hear that it is not so.
  const waited = sent(shot, "x-min-ledger-version") !== null || /\/healthy\?.*duration_secs=/.test(shot.target);
  if (status > 500 && chain && !(status === 503 && waited)) return [`status ${status} while everything is up`];
  if (shot.expected === null || status === 429 || (status >= 500 && !chain)) return [];
  return shot.expected.includes(status)
    ? []
    : [`status ${status} to a sound request, not ${shot.expected.join(" or ")}`];
}

const BARE = /^\/api\/(max|circulating|total|stable)-supply$/;
const TYPES =
  /^(application\/json(; charset=utf-8)?|text\/plain; charset=utf-8|text\/csv; charset=utf-8(; header=present)?|application\/x-bcs|application\/linkset\+json;.*)$/;

function bodyFaults(shot: Shot, path: string, { status, fields, body }: Answer): string[] {
  const type = one(fields, "content-type");
  if (status === 204 || status === 304) return type === "" ? [] : [`content-type ${type} of nothing`];
  const faults = TYPES.test(type) ? [] : [`content-type is ${JSON.stringify(type)}`];
  if (shot.method === "HEAD") return faults;
  const text = body.toString("utf8");
  if (/[/+]json/.test(type) && !isJson(text)) faults.push(`not JSON: ${text.slice(0, 100)}`);
  if (status === 200 && BARE.test(path) && !/^([1-9]\d*|\{"result":"[1-9]\d*"\})$/.test(text))
    faults.push(`not a figure: ${text.slice(0, 100)}`);
  if (status === 200 && path === "/api/max-supply" && !text.includes("1000000000"))
    faults.push(`a wrong figure: ${text}`);
  return faults;
}

/** Traces of the inside: exceptions, stacks, places. What the caller wrote itself is not one. */
const INSIDE: readonly RegExp[] = [
  /\b(?:Type|Range|Syntax|Reference|URI|Internal|Eval)Error\b/,
  /\bat [\w.<>$ ]+\(?[\w./:-]+:\d+:\d+\)?/,
  /Cannot (?:read|set|convert|mix|destructure)|is not (?:a function|iterable|a constructor)|Unexpected (?:token|end of|non-whitespace|string)|in JSON at position|Bad control character|Maximum call stack/,
  /\bundefined\b|\bNaN\b|\[object /,
  /SQLITE|no such table|\bworkerd\b|kj\/|node_modules|\.[jt]s:\d/,
  /https?:\/\/(?:127\.0\.0\.1|localhost|node)\b/,
];

function leaks(shot: Shot, { status, fields, body }: Answer, { secrets }: Bench): string[] {
  if (status < 400) return [];
  const said = [...fields].filter(([name]) => name !== "access-control-allow-origin");
  const text = `${said.map(([name, values]) => `${name}: ${values.join(", ")}`).join("\n")}\n${body.toString("utf8")}`;
  const own = decoded(
    `${shot.target} ${shot.fields.map(([, value]) => value).join(" ")} ${Buffer.from(shot.body ?? []).toString("latin1")}`,
  );
  const found = INSIDE.map((form) => form.exec(text)?.[0]).filter(
    (match) => match !== undefined && !own.includes(match),
  );
  return [...found, ...secrets.filter((secret) => text.includes(secret))].map((trace) => `the inside shows: ${trace}`);
}

/** Documented operations against their document; everything else must not be there. */
function documentFaults(shot: Shot, path: string, surface: Surface, answer: Answer): string[] {
  const { status, fields, body } = answer;
  const document = surface === "node" ? nodeDocument : publicDocument;
  const operation = surface === "faucet" ? undefined : operationOf(document.paths, path);
  if (operation === undefined) {
    const known = surface === "faucet" || path === "/.well-known/api-catalog";
    return known || status === 404 || status === 429 || status === 400 ? [] : [`status ${status} where nothing is`];
  }
  const [template, methods] = operation;
  const method = shot.method === "HEAD" ? "get" : shot.method.toLowerCase();
  if (shot.method === "OPTIONS") return [204, 400].includes(status) ? [] : [`status ${status} to a preflight`];
  if (!methods.includes(method)) return [400, 405, 429].includes(status) ? [] : [`status ${status} to ${shot.method}`];
  // The node's document is the node's: that the edge answers 304 to who holds a copy is HTTP's own (RFC 9110 section 13).
  if (status === 304 && surface === "node" && isConditional(shot)) return [];
  const field = (name: string): string | null => fields.get(name.toLowerCase())?.join(", ") ?? null;
  return undocumented(document, shot.method, template, { status, field, text: body.toString("utf8") });
}

function isConditional(shot: Shot): boolean {
  const asks = sent(shot, "if-none-match") ?? sent(shot, "if-modified-since");
  return asks !== null && (shot.method === "GET" || shot.method === "HEAD");
}

function operationOf(paths: Record<string, object>, path: string): [string, string[]] | undefined {
  // The node's root answers with and without a slash, because SDKs ask for both.
  const segments = (path === "/v1/" ? "/v1" : path).split("/");
  const fits = (template: string): boolean => {
    const parts = template.split("/");
    const same = (part: string, index: number): boolean =>
      part === segments[index] || (part.startsWith("{") && segments[index] !== "");
    return parts.length === segments.length && parts.every(same);
  };
  // A fixed path before one with parameters: by_hash is no hash.
  const found = Object.keys(paths)
    .sort((a, b) => a.split("{").length - b.split("{").length)
    .find(fits);
  return found === undefined ? undefined : [found, Object.keys(paths[found] ?? {})];
}

function one(fields: Answer["fields"], name: string): string {
  const values = fields.get(name) ?? [];
  return values.length === 1 ? (values[0] ?? "") : values.join(" AND ");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
