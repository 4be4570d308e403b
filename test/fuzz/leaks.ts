import { decoded, type RawRequest } from "./raw-request.ts";
import type { Answer } from "./wire.ts";

/** Traces of internals: exceptions, stacks, source locations. Text that the caller sent is excluded. */
const INSIDE: readonly RegExp[] = [
  /\b(?:Type|Range|Syntax|Reference|URI|Internal|Eval)Error\b/,
  /\bat [\w.<>$ ]+\(?[\w./:-]+:\d+:\d+\)?/,
  /Cannot (?:read|set|convert|mix|destructure)|is not (?:a function|iterable|a constructor)|Unexpected (?:token|end of|non-whitespace|string)|in JSON at position|Bad control character|Maximum call stack/,
  /\bundefined\b|\bNaN\b|\[object /,
  /SQLITE|no such table|\bworkerd\b|kj\/|node_modules|\.[jt]s:\d/,
  /https?:\/\/(?:127\.0\.0\.1|localhost|node)\b/,
];

/** Lists the internals that an error reveals. */
export function leaks(request: RawRequest, { status, fields, body }: Answer, secrets: readonly string[]): string[] {
  if (status < 400) return [];
  const reported = [...fields].filter(([name]) => name !== "access-control-allow-origin");
  const text = `${reported.map(([name, values]) => `${name}: ${values.join(", ")}`).join("\n")}\n${body.toString("utf8")}`;
  const own = decoded(
    `${request.target} ${request.fields.map(([, value]) => value).join(" ")} ${Buffer.from(request.body ?? []).toString("latin1")}`,
  );
  const found = INSIDE.map((form) => form.exec(text)?.[0]).filter(
    (match) => match !== undefined && !own.includes(match),
  );
  return [...found, ...secrets.filter((secret) => text.includes(secret))].map((trace) => `the inside shows: ${trace}`);
}
