/** Consequences of an exchange with a chain node that brought no answer to pass on. */
interface AttemptOutcome {
  /** Attempts at one node for a request that may be sent again; 0: no other node is asked either. */
  readonly tries: number;
  /**
   * `unsent`: a submit did not reach the node's mempool, so another node is asked. `answered`: the node counts as
   * proven for a request that is sent once. `saysNothingOfHealth`: no probe follows; after any other outcome a probe
   * decides whether the node is healthy.
   */
  readonly flags?: readonly ("unsent" | "answered" | "saysNothingOfHealth")[];
  /** Response to the caller when no node answered: status, Retry-After in seconds (null: do not repeat), message. */
  readonly callerMessage: readonly [status: 502 | 503, retryAfterSeconds: number | null, message: string];
  /** Sentence of health about the node, for outcomes that a probe can have. */
  readonly healthText?: string;
}

/**
 * Largest answer that is buffered. A larger one is passed on only if its length is declared; otherwise nobody could
 * tell whether it is complete.
 */
export const MAX_RESPONSE_BYTES = 8 * 1_048_576;

const AWAY = [503, 2, "No chain node answers at the moment."] as const;
const TOO_LARGE = `The chain node's answer has more than ${MAX_RESPONSE_BYTES} bytes and declares no length. Ask for less, with \`limit\` where there is one.`;
const NO_SHIELD = "The part of this service that reads the chain nodes does not answer at the moment.";
const HEADERLESS = "The chain node sends no ledger headers, so its answers have no place in the chain's history.";

/**
 * Outcomes by their code in logs and metrics. Of several outcomes the caller's message reports the first in this order:
 * that which may change soonest. `{status}` is the node's status, `{until}` the time until which it is not called.
 */
const OUTCOMES = {
  too_large: { tries: 0, callerMessage: [502, null, TOO_LARGE] },
  /** The node's ledger is below the floor. */
  lagging: {
    tries: 1,
    flags: ["answered", "saysNothingOfHealth"],
    callerMessage: [503, 1, "The chain nodes are behind what this caller has seen."],
  },
  /** 429, or a 503 with a Retry-After: the node did not look at the request. It is not called before that time. */
  throttled: {
    tries: 1,
    flags: ["unsent"],
    callerMessage: [503, 1, "The chain nodes limit the requests of this service (status {status})."],
    healthText: "limits our requests until {until} (status {status})",
  },
  /**
   * A 503 without a Retry-After: the node did not look at the request either. It sheds load, or a proxy has no node
   * behind it.
   */
  unavailable: {
    tries: 1,
    flags: ["unsent"],
    callerMessage: [503, 1, "The chain nodes are unavailable (status {status})."],
    healthText: "is unavailable (status {status})",
  },
  timeout: { tries: 2, callerMessage: AWAY, healthText: "did not answer in 1.5 s" },
  /**
   * A status that says nothing about the request: 408, 425 and 499, which are about time, and every status that no table
   * here lists.
   */
  silent: {
    tries: 2,
    callerMessage: [503, 2, "No chain node answers at the moment (status {status})."],
    healthText: "answers with status {status}",
  },
  connect: { tries: 4, callerMessage: AWAY, healthText: "cannot be connected" },
  truncated: { tries: 4, callerMessage: AWAY, healthText: "breaks off its answers" },
  /** An error of the node itself (500), or a page of a proxy that got no answer from the node. */
  failed: {
    tries: 2,
    callerMessage: [503, 2, "The chain nodes fail (status {status})."],
    healthText: "answers with status {status}",
  },
  /** The node was not called: none of the requests that wait for the response had a free connection. */
  no_connection: {
    tries: 1,
    flags: ["saysNothingOfHealth"],
    callerMessage: [503, 1, "No connection to a chain node is free."],
  },
  /** The node's ledger is further ahead than the chain's pace allows, and no second report confirms it. */
  contradicts: {
    tries: 2,
    flags: ["saysNothingOfHealth"],
    callerMessage: [503, 2, "No chain node's ledger is confirmed."],
  },
  wrong_chain: {
    tries: 1,
    flags: ["unsent", "saysNothingOfHealth"],
    callerMessage: [503, 2, "No chain node follows this chain."],
  },
  /** A redirect, or a 4xx of a proxy or firewall in front of the node, which has looked at the request. */
  refused: {
    tries: 1,
    flags: ["unsent"],
    callerMessage: [503, 30, "The chain nodes refuse this service (status {status})."],
    healthText: "answers with status {status}",
  },
  headerless: {
    tries: 1,
    callerMessage: [502, null, HEADERLESS],
    healthText: "sends no ledger headers: a proxy may drop them",
  },
  /** The answer is about something else, not JSON, empty or null. */
  invalid: {
    tries: 2,
    callerMessage: [502, null, "The chain node answered something else than was asked for."],
    healthText: "answers something else than its ledger",
  },
  /** An object of this service does not respond, so no node was called. */
  no_shield: { tries: 1, flags: ["saysNothingOfHealth"], callerMessage: [503, 1, NO_SHIELD] },
  /** The answer is about history of which another node may have more. */
  pruned: { tries: 1, flags: ["answered", "saysNothingOfHealth"], callerMessage: AWAY },
} as const satisfies Record<string, AttemptOutcome>;

/** Reason why an attempt returned no response to pass on. */
export type AttemptError = keyof typeof OUTCOMES;
/** Codes in the order of the table. The cast is safe, because the keys of an object literal are those of its type. */
export const OUTCOME_CODES = Object.keys(OUTCOMES) as readonly AttemptError[];

/** Kinds of answers that another node may better, the best first, each with its code in logs and metrics. */
export const BETTERABLE: readonly (readonly [kind: string, code: AttemptError])[] = [
  ["late", "pruned"],
  ["unknown_hash", "pruned"],
  ["pruned", "pruned"],
  ["pruned_so_far", "pruned"],
  ["failed", "failed"],
  ["disabled", "failed"],
];

export const outcomeOf = (error: AttemptError): AttemptOutcome => OUTCOMES[error];

export function hasFlag(error: AttemptError, flag: "unsent" | "answered" | "saysNothingOfHealth"): boolean {
  return outcomeOf(error).flags?.includes(flag) === true;
}

/** Fills a sentence with the status and time of this outcome. */
export const fillTemplate = (text: string, status: number | null, until: string | null = null): string =>
  text.replace("{status}", String(status)).replace("{until}", String(until));
