/** What becomes of an exchange with a chain node that brought no answer to pass on. */
interface AttemptOutcome {
  /** Attempts at one node for one request that may be sent again; 0: no other node is asked either. */
  readonly tries: number;
  /**
   * `unsent`: a submit did not reach the node's mempool, so another node is asked. `answered`: the node is proven for a
   * request that is sent once. `explained`: it says nothing about the node's health; after any other a probe decides.
   */
  readonly flags?: readonly ("unsent" | "answered" | "saysNothingOfHealth")[];
  /** What a caller gets when no node answered: status, Retry-After in seconds (null: not to be repeated), message. */
  readonly callerMessage: readonly [status: 502 | 503, retryAfterSeconds: number | null, message: string];
  /** What health says the node does, where a probe may end so. */
  readonly healthText?: string;
}

/** A larger answer is passed on only if its length is declared: without it nobody could tell that it is whole. */
export const MAX_RESPONSE_BYTES = 8 * 1_048_576;

const AWAY = [503, 2, "No chain node answers at the moment."] as const;
const TOO_LARGE = `The chain node's answer has more than ${MAX_RESPONSE_BYTES} bytes and declares no length. Ask for less, with \`limit\` where there is one.`;
const NO_SHIELD = "The part of this service that reads the chain nodes does not answer at the moment.";
const HEADERLESS = "The chain node sends no ledger headers, so its answers have no place in the chain's history.";

/**
 * Every outcome by its code in logs and metrics. A caller is told of the first one in this order: what may change soonest.
 * `{status}` is the node's, `{until}` when it may be called again.
 */
const OUTCOMES = {
  too_large: { tries: 0, callerMessage: [502, null, TOO_LARGE] },
  /** Its ledger is below the floor. */
  lagging: {
    tries: 1,
    flags: ["answered", "saysNothingOfHealth"],
    callerMessage: [503, 1, "The chain nodes are behind what this caller has seen."],
  },
  /** 429, or a 503 that names a time: it did not look at the request. Not called before that time. */
  throttled: {
    tries: 1,
    flags: ["unsent"],
    callerMessage: [503, 1, "The chain nodes limit the requests of this service (status {status})."],
    healthText: "limits our requests until {until} (status {status})",
  },
  /** A 503 that names no time: it did not look at the request either, because it sheds load or has no node behind it. */
  unavailable: {
    tries: 1,
    flags: ["unsent"],
    callerMessage: [503, 1, "The chain nodes are unavailable (status {status})."],
    healthText: "is unavailable (status {status})",
  },
  timeout: { tries: 2, callerMessage: AWAY, healthText: "did not answer in 1.5 s" },
  /** A status that is no verdict about the request: of time (408, 425, 499), or one that nothing else here has. */
  silent: {
    tries: 2,
    callerMessage: [503, 2, "No chain node answers at the moment (status {status})."],
    healthText: "answers with status {status}",
  },
  connect: { tries: 4, callerMessage: AWAY, healthText: "cannot be connected" },
  truncated: { tries: 4, callerMessage: AWAY, healthText: "breaks off its answers" },
  /** An error of its own (500), or a page of a proxy that did not get its answer. */
  failed: {
    tries: 2,
    callerMessage: [503, 2, "The chain nodes fail (status {status})."],
    healthText: "answers with status {status}",
  },
  /** It was not called: no caller that waits for the response lends a connection. */
  no_connection: {
    tries: 1,
    flags: ["saysNothingOfHealth"],
    callerMessage: [503, 1, "No connection to a chain node is free."],
  },
  /** Its ledger is ahead of what the chain has been doing, and no second report confirms it. */
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
  /** A redirect, or a 4xx of a proxy or firewall in front of the node that says that somebody looked at the request. */
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
  /** About something else, not JSON, empty or null. */
  invalid: {
    tries: 2,
    callerMessage: [502, null, "The chain node answered something else than was asked for."],
    healthText: "answers something else than its ledger",
  },
  /** Of no node: an object of this service does not respond. */
  no_shield: { tries: 1, flags: ["saysNothingOfHealth"], callerMessage: [503, 1, NO_SHIELD] },
  /** It is about history that another node may have more of. */
  pruned: { tries: 1, flags: ["answered", "saysNothingOfHealth"], callerMessage: AWAY },
} as const satisfies Record<string, AttemptOutcome>;

/** Why one attempt returned no response to pass on. */
export type AttemptError = keyof typeof OUTCOMES;
/** In the order of the table. Cast: the keys of an object literal are those of its type. */
export const OUTCOME_CODES = Object.keys(OUTCOMES) as readonly AttemptError[];

/** The kinds of answers that another node may better, the best first, and the code of each in logs and metrics. */
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

/** The sentence with what is known of this time. */
export const fillTemplate = (text: string, status: number | null, until: string | null = null): string =>
  text.replace("{status}", String(status)).replace("{until}", String(until));
