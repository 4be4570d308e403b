import type { Parameter, ParameterValue } from "../../src/chain/parameters.ts";
import type { Node } from "./node-context.ts";
import { isError, type NodeError } from "./node-error.ts";
import { readQuery, readSegment } from "./parameters.ts";
import { type Body, readBody } from "./request-body.ts";
import { type Format, formatOf } from "./response-format.ts";

/** A successful response before serialization. */
export interface Answer {
  readonly kind: "answer";
  readonly status: 200 | 202 | 206;
  readonly body: Content;
  /** Start of the next page, opaque; null on the last page. */
  readonly cursor: string | null;
  /** Gas units of a simulation or a view; null elsewhere. */
  readonly gasUsed: bigint | null;
}

export type Content =
  | { readonly form: "json"; readonly text: string }
  | { readonly form: "bcs"; readonly bytes: Uint8Array }
  | { readonly form: "text"; readonly text: string };

export type Outcome = Answer | NodeError;

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;
type NoParameters = Record<never, never>;

/** One request, parsed: path parameters, query parameters (undefined when absent), body, response format. */
export interface Call<P extends Parameters, Q extends Parameters, B> {
  readonly path: { readonly [Name in keyof P]: ParameterValue<P[Name]> };
  readonly query: { readonly [Name in keyof Q]: ParameterValue<Q[Name]> | undefined };
  readonly body: B;
  readonly format: Format;
}

/** The definition of an endpoint: its parameters by name and type, if any, and its handler. */
export interface Endpoint<P extends Parameters, Q extends Parameters, B> {
  readonly path?: P;
  readonly query?: Q;
  /** The one form of its answers; absent: JSON and BCS. */
  readonly only?: "bcs";
  readonly answer: (call: Call<P, Q, B>, node: Node) => Outcome | Promise<Outcome>;
}

/** An endpoint as the route table calls it: `segments` are the raw path parameters. */
export type Run = (request: Request, found: FoundPath, node: Node) => Promise<Outcome>;

export interface FoundPath {
  readonly segments: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** A GET endpoint. */
export function reads<P extends Parameters = NoParameters, Q extends Parameters = NoParameters>(
  endpoint: Endpoint<P, Q, null>,
): Run {
  return async (request, found, node) => {
    const parsed = readParameters(endpoint, request, found);
    return isError(parsed) ? parsed : endpoint.answer({ ...parsed, body: null }, node);
  };
}

/** A POST endpoint; `bcsTypes` are the accepted media types besides JSON. */
export function takes<P extends Parameters = NoParameters, Q extends Parameters = NoParameters>(
  bcsTypes: readonly string[],
  endpoint: Endpoint<P, Q, Body>,
): Run {
  return async (request, found, node) => {
    const parsed = readParameters(endpoint, request, found);
    if (isError(parsed)) return parsed;
    const body = await readBody(request, bcsTypes);
    return isError(body) ? body : endpoint.answer({ ...parsed, body }, node);
  };
}

function readParameters<P extends Parameters, Q extends Parameters, B>(
  endpoint: Endpoint<P, Q, B>,
  request: Request,
  { segments, query }: FoundPath,
): Omit<Call<P, Q, B>, "body"> | NodeError {
  const path: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(endpoint.path ?? {})) {
    const value = readSegment(name, segments[name] ?? "", parameter);
    if (isError(value)) return value;
    path[name] = value;
  }
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(endpoint.query ?? {})) {
    const value = readQuery(name, query, parameter);
    if (isError(value)) return value;
    values[name] = value;
  }
  return {
    path: path as Call<P, Q, B>["path"], // filled name by name from P's own parameters
    query: values as Call<P, Q, B>["query"], // likewise from Q's
    format: formatOf(request.headers.get("Accept"), endpoint.only),
  };
}

function answerOf(body: Content): Answer {
  return { kind: "answer", status: 200, body, cursor: null, gasUsed: null };
}

/** A 200 in JSON. */
export const json = (value: unknown): Answer => jsonText(JSON.stringify(value));

/** A 200 with serialized JSON, for integers beyond the range of a JavaScript number. */
export const jsonText = (text: string): Answer => answerOf({ form: "json", text });

export const plainText = (text: string): Answer => answerOf({ form: "text", text });

export const bcs = (bytes: Uint8Array): Answer => answerOf({ form: "bcs", bytes });

/** A 200 in the requested format; only that format is computed. */
export function either(format: Format, forms: { json: () => unknown; bcs: () => Uint8Array }): Answer {
  return format === "json" ? json(forms.json()) : bcs(forms.bcs());
}
