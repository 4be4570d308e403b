import type { AdmittedRoute } from "../admission.ts";
import { JSON_TYPE } from "../chain/media-types.ts";
import { type Failure, invalidParameter } from "../http/failure.ts";
import type { Handler, Outcome, RequestContext } from "../http/handler.ts";
import { publicFor, type Reply, tagged } from "../http/reply.ts";
import { type FigureForm, isRounded } from "../supply/figure-format.ts";
import {
  type AddressBody,
  type AddressFile,
  FORMS,
  figuresOf,
  MEMBER_TYPES,
  type RegisteredAddress,
  type RegisteredFigure,
  UNITS,
} from "./registered-address.ts";

/** A figure that a body contains, and its form. */
export interface WantedFigure {
  readonly figure: RegisteredFigure;
  readonly form: FigureForm;
}

/** Answers the wanted figures, in their order. Figures of one token on chain come from one reading. */
export type FiguresAt = (wanted: readonly WantedFigure[], context: RequestContext) => Promise<readonly Outcome[]>;

/**
 * Adds the routes of registered addresses. On a path that we serve already, an entry answers only requests with its
 * parameter.
 */
export function withAddresses(
  routes: readonly AdmittedRoute[],
  file: AddressFile | null,
  figuresAt: FiguresAt,
): readonly AdmittedRoute[] {
  const byPath = Map.groupBy(file?.entries ?? [], ({ path }): string => path);
  const isReplaced = ({ method, path }: AdmittedRoute): boolean => method === "GET" && byPath.has(path);
  const replaced = new Map(routes.filter(isReplaced).map(({ path, handler }) => [path, handler]));
  const registered = [...byPath].map(([path, entries]): AdmittedRoute => {
    const select = selection(entries, figuresAt);
    const handler: AdmittedRoute["handler"] = (context) =>
      select(context) ?? replaced.get(path)?.(context) ?? unknown(entries);
    return { method: "GET", path, handler };
  });
  return [...routes.filter((route) => !isReplaced(route)), ...registered];
}

/**
 * Finds the entry that a request selects, and its answer; undefined: the request has no parameter, and every entry
 * needs one.
 */
function selection(entries: readonly RegisteredAddress[], figuresAt: FiguresAt) {
  const handlers = new Map(entries.map(({ query, body }) => [query?.value, bodyHandler(body, figuresAt)]));
  const name = nameIn(entries);
  return (context: RequestContext): ReturnType<Handler> | undefined => {
    const values = name === undefined ? [] : new URLSearchParams(context.query).getAll(name);
    if (values.length > 1) return invalidParameter(`Parameter ${name} is given more than once.`);
    const handler = handlers.get(values[0]);
    if (handler !== undefined) return handler(context);
    return values.length === 0 ? undefined : unknown(entries);
  };
}

function nameIn(entries: readonly RegisteredAddress[]): string | undefined {
  return entries.find(({ query }) => query !== null)?.query?.name;
}

function unknown(entries: readonly RegisteredAddress[]): Failure {
  const values = entries.flatMap(({ query }) => query?.value ?? []);
  return { kind: "not_found", message: `Parameter ${nameIn(entries)} must be one of: ${values.join(", ")}.` };
}

function bodyHandler(body: AddressBody, figuresAt: FiguresAt): Handler {
  const wanted = figuresOf(body).map(({ figure, units }) => ({ figure, form: UNITS[units] }));
  return async (context) => {
    const replies: Reply[] = [];
    for (const outcome of await figuresAt(wanted, context)) {
      if (outcome.kind !== "reply") return outcome;
      replies.push(outcome);
    }
    const digits = replies.map(({ body: text }) => String(text));
    const rounded = figuresOf(body).find(({ isNumber }, index) => isNumber && isRounded(digits[index] ?? ""));
    if (rounded !== undefined)
      return { kind: "not_found", message: `${rounded.figure} is greater than the numbers that JSON readers keep.` };
    const { text, type } = writtenBody(body, digits);
    return tagged("address", text, type, sharedHeaders(replies));
  };
}

/** Writes a body with its media type. `digits`: those of its figures, in their order. */
export function writtenBody(body: AddressBody, digits: readonly string[]) {
  if (body.kind === "figure") {
    const { write, type } = FORMS[body.form];
    return { text: write(digits[0] ?? ""), type };
  }
  const left = [...digits];
  const members = body.members.map((member) => {
    const value = "text" in member ? JSON.stringify(member.text) : MEMBER_TYPES[member.as].write(left.shift() ?? "");
    return `${JSON.stringify(member.name)}:${value}`;
  });
  return { text: `{${members.join()}}`, type: JSON_TYPE };
}

/**
 * Builds the headers of a body with several figures. `max-age` is the smallest of theirs; `Age` and `Cache-Status` are
 * those of the oldest. `Last-Modified` is absent, because the file may change between two steps.
 */
function sharedHeaders(replies: readonly Reply[]): Record<string, string> {
  const [oldest] = replies
    .filter(({ headers }) => headers["Age"] !== undefined)
    .toSorted((one, other) => Number(other.headers["Age"]) - Number(one.headers["Age"]));
  const seconds = replies.map(({ headers }) => Number(/max-age=(\d+)/.exec(headers["Cache-Control"] ?? "")?.[1] ?? 0));
  const versions = new Set(replies.flatMap(({ headers }) => headers["X-Ledger-Version"] ?? []));
  const [version] = versions;
  return {
    "Cache-Control": publicFor(Math.min(...seconds)),
    ...pick(oldest, "Age"),
    ...pick(oldest, "Cache-Status"),
    // Native and stable token are read at different versions, so a body with both names neither.
    ...(versions.size === 1 && version !== undefined ? { "X-Ledger-Version": version } : {}),
  };
}

function pick(reply: Reply | undefined, name: string): Record<string, string> {
  const value = reply?.headers[name];
  return value === undefined ? {} : { [name]: value };
}
