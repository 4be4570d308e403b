/** One request to one node: a GET, or with a body a POST. Never rejects. */
export type JsonExchange = (path: string, body?: unknown) => Promise<JsonAnswer>;

export type JsonAnswer = { readonly kind: "json"; readonly value: unknown } | NoAnswer;

/** The node sent nothing that could be read. */
export interface NoAnswer {
  readonly kind: "none";
  /** Behaviour of the node instead, as in "cannot be connected". */
  readonly behaviour: string;
  /** The HTTP status; null when there was none. */
  readonly status: number | null;
  /** For how long it is not to be called; null when it does not say. */
  readonly retryAfterMs: number | null;
}

export function none(behaviour: string, status: number | null = null, retryAfterMs: number | null = null): NoAnswer {
  return { kind: "none", behaviour, status, retryAfterMs };
}
