import { documentFaults } from "./documents.ts";
import { errorFaults } from "./errors.ts";
import { leaks } from "./leaks.ts";
import { decoded, pathsOf, type RawRequest, sent } from "./raw-request.ts";
import { runtimeRefusal } from "./runtime.ts";
import type { Answer, NoAnswer } from "./wire.ts";

export type Surface = "api" | "node" | "faucet";

/** Sender of a response, and a text for each of its faults. */
export interface Verdict {
  readonly by: "product" | "page" | "runtime" | "none";
  readonly faults: readonly string[];
}

/**
 * Checks one response against the promises for all responses, while everything is up. `secrets` are texts that no
 * response may contain.
 */
export function check(raw: RawRequest, answer: Answer | NoAnswer, secrets: readonly string[] = []): Verdict {
  if (runtimeRefusal(raw, answer) !== null) return { by: "runtime", faults: [] };
  if (answer.kind === "none") return { by: "none", faults: [`no answer: ${answer.reason}`] };
  const verdict = checked(raw, answer, secrets);
  // A development server's proxy turns every WebSocket request into a GET.
  const upgraded = sent(raw, "upgrade")?.toLowerCase() === "websocket" && raw.method !== "GET";
  return upgraded && verdict.faults.length > 0 ? checked({ ...raw, method: "GET" }, answer, secrets) : verdict;
}

/** Checks a response by the interpretation of its path that gives the fewest faults. */
function checked(raw: RawRequest, answer: Answer, secrets: readonly string[]): Verdict {
  const verdicts = pathsOf(raw).map((path) => checkedAs(path, raw, answer, secrets));
  const [best] = verdicts.sort((a, b) => a.faults.length - b.faults.length);
  return best ?? { by: "product", faults: ["a target that is no path was served"] };
}

function checkedAs(path: string, raw: RawRequest, answer: Answer, secrets: readonly string[]): Verdict {
  if (isPage(path) && !answer.fields.has("ratelimit")) return { by: "page", faults: pageFaults(answer) };
  const surface = surfaceOf(path);
  const faults = [
    ...callerFields(path, surface, answer),
    ...crossOrigin(surface, raw, answer),
    ...statusFaults(raw, answer),
    ...bodyFaults(raw, path, answer),
    ...(answer.status >= 400 && raw.method !== "HEAD" ? errorFaults(surface, answer) : []),
    ...leaks(raw, answer, secrets),
    ...documentFaults(raw, path, surface, answer),
  ];
  return { by: "product", faults: [...new Set(faults)] };
}

const PAGE = /^\/+(?:(?:index|docs|docs\/|docs\/index)(?:\.html)?|favicon\.svg|assets\/[^/]+)?$/;

function isPage(path: string): boolean {
  return PAGE.test(decoded(path));
}

/** Checks static assets, which the platform serves without quota. */
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

/** Checks the fields that every response has exactly once. */
function callerFields(path: string, surface: Surface, { fields }: Answer): string[] {
  const policy = /^\/api\/page(\/history)?$/.test(path) ? "page" : surface === "node" ? "node" : "default";
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
  for (const name of ["set-cookie", "server", "x-powered-by"]) if (fields.has(name)) faults.push(`${name} is sent`);
  return faults;
}

function crossOrigin(surface: Surface, raw: RawRequest, { fields }: Answer): string[] {
  const allowed = one(fields, "access-control-allow-origin");
  if (surface !== "node") {
    const credentials = fields.has("access-control-allow-credentials") ? ["credentials are allowed to any origin"] : [];
    return allowed === "*" ? credentials : [`access-control-allow-origin is ${allowed}`];
  }
  const vary = one(fields, "vary").toLowerCase();
  const faults = /(^|, *)origin(,|$)/.test(vary) ? [] : [`vary is ${vary}`];
  const origin = sent(raw, "origin") ?? "";
  if (/^[, ]*$/.test(origin)) return allowed === "" ? faults : [...faults, "an origin is allowed that sent no request"];
  // Only plain ASCII is compared byte by byte.
  if (/^[\x20-\x7e]*$/.test(origin) && allowed !== origin) faults.push(`origin ${origin} is allowed as ${allowed}`);
  if (one(fields, "access-control-allow-credentials") !== "true") faults.push("credentials are not allowed");
  return faults;
}

function statusFaults(raw: RawRequest, { status }: Answer): string[] {
  if (status === 500 || status < 200) return [`status ${status}`];
  // A request with a maximum age of the tip may be a 503.
  const waited = /\/healthy\?.*duration_secs=/.test(raw.target);
  if (status > 500 && !(status === 503 && waited)) return [`status ${status} while everything is up`];
  if (raw.expected === null || status === 429) return [];
  return raw.expected.includes(status) ? [] : [`status ${status} to a sound request, not ${raw.expected.join(" or ")}`];
}

const BARE = /^\/api\/(max|circulating|total|stable)-supply$/;
const FIGURE = /^([1-9]\d*(\.\d+)?|\{"result":"[1-9]\d*(\.\d+)?"\})$/;
const TYPES =
  /^(application\/json(; charset=utf-8)?|text\/(plain|calendar); charset=utf-8|text\/csv; charset=utf-8(; header=present)?|application\/atom\+xml; charset=utf-8|application\/x-bcs|application\/linkset\+json;.*)$/;

function bodyFaults(raw: RawRequest, path: string, { status, fields, body }: Answer): string[] {
  const type = one(fields, "content-type");
  // A 304 has the type of its 200 (RFC 9110, section 15.4.5).
  if (status === 304) return type === "" || TYPES.test(type) ? [] : [`content-type ${type} of nothing`];
  if (status === 204) return type === "" ? [] : [`content-type ${type} of nothing`];
  const faults = TYPES.test(type) ? [] : [`content-type is ${JSON.stringify(type)}`];
  if (raw.method === "HEAD") return faults;
  const text = body.toString("utf8");
  if (/[/+]json/.test(type) && !isJson(text)) faults.push(`not JSON: ${text.slice(0, 100)}`);
  if (status === 200 && BARE.test(path) && !FIGURE.test(text)) faults.push(`not a figure: ${text.slice(0, 100)}`);
  if (status === 200 && path === "/api/max-supply" && !text.includes("1000000000"))
    faults.push(`a wrong figure: ${text}`);
  return faults;
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
