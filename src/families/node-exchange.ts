/** Sends one request to one node: a POST if it has a body, otherwise a GET. Never rejects. */
export type JsonExchange = (path: string, body?: unknown) => Promise<JsonAnswer>;

export type JsonAnswer = { readonly kind: "json"; readonly value: unknown } | NoAnswer;

/** Result when a node sent nothing that could be parsed. */
export interface NoAnswer {
  readonly kind: "none";
  /** Behaviour of the node, as in "cannot be connected". */
  readonly behaviour: string;
  /** The HTTP status; null when there was none. */
  readonly status: number | null;
  /** How long the node asks not to be called; null when it does not say. */
  readonly retryAfterMs: number | null;
}

export function noAnswer(
  behaviour: string,
  status: number | null = null,
  retryAfterMs: number | null = null,
): NoAnswer {
  return { kind: "none", behaviour, status, retryAfterMs };
}
