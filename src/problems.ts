/** Row of a problem: what the operator does about it, and the section of docs/operations.md that has the steps. */
interface ProblemRow {
  readonly remedy: string;
  readonly section?: string;
}

/**
 * All problems that /api/health can report, in the order of the table in docs/operations.md. The last column of that
 * table is made of these rows. A published code stays for good.
 */
export const PROBLEMS = {
  figure_unavailable: { remedy: "Follow the reason in the message.", section: "figures-are-503" },
  figure_stale: {
    remedy: "Follow the reason in the message before the last good value is too old to serve.",
    section: "figures-are-503",
  },
  figure_unconfirmed: {
    remedy: "Look at the listing. A true change is accepted when a reading a minute later repeats it.",
  },
  rates_stale: { remedy: "Ask the listing's operator, because the product is no longer written." },
  circulating_above_total: { remedy: "Look for a burn without adjustment, a wrong NATIVE_ASSET or a wrong schedule." },
  total_above_max: {
    remedy: "Correct the maximum, the decimals or NATIVE_ASSET, or find the mint, before trackers notice.",
  },
  circulating_above_plan: {
    remedy: "Find the transfer today, then correct the wallets or the schedule.",
    section: "more-circulates-than-planned",
  },
  escrow_short: { remedy: "Stop the bridge and ask its operator, because this is a theft or a fault." },
  locked_below_schedule: { remedy: "Find the transfer. Correct the addresses, or add an adjustment with its source." },
  wallet_unreadable: {
    remedy: "Repair the nodes if one does not respond; otherwise correct the address in the schedule.",
  },
  circulating_view_unreadable: {
    remedy: "Repair the nodes if one does not respond; otherwise correct circulating_view in the schedule.",
  },
  circulating_view_differs: { remedy: "Find out which of the two figures lacks a wallet, a lock or a burn." },
  staking_unreadable: {
    remedy: "Repair the nodes. If they have no view 0x1::staking_config::reward_rate, set STAKING to off.",
  },
  share_price_unreadable: {
    remedy:
      "Wait a minute for a second reading. Otherwise repair the nodes that do not respond, or correct the contract or its view in the schedule.",
  },
  wallet_balance_fell: { remedy: "Find the transfer, because holders will ask for its reason." },
  supply_fell: { remedy: "Wait while a bridge moves the amount; otherwise find the burn." },
  schedule_ended: {
    remedy: "Publish the months that follow. If the rest never unlocks, run npm run schedule -- convert.",
  },
  nodes_disagree: { remedy: "Find out which node is right.", section: "two-nodes-disagree" },
  one_word: {
    remedy: "Bring the other node back (its plan, key and version), or take it out of the settings.",
    section: "one-of-two-nodes-is-absent",
  },
  upstream_unreachable: {
    remedy: "Repair what the message names, or remove the node.",
    section: "add-or-remove-a-node",
  },
  upstream_excluded: { remedy: "Get a higher limit from the node's operator, or a key for it." },
  upstream_wrong_chain: {
    remedy:
      "Correct the node's address, or the chain id that is configured. After a reset this clears when all nodes have the new chain.",
  },
  upstream_contradicts: {
    remedy: "Check the node and its load balancer. This clears half a minute after the last contradiction.",
  },
  upstream_outdated: { remedy: "Ask the node's operator, because the node has stopped synchronizing." },
  chain_behind: { remedy: "Wait while the chain pauses. If the chain does not pause, its nodes have stopped." },
  node_reads_unavailable: { remedy: "Check the nodes, then the event shield_error in the log." },
  node_reads_stale: { remedy: "Check the nodes, then the event shield_error in the log." },
  chain_replaced: {
    remedy: "Do nothing if the reset is intended; otherwise correct NODE_URLS.",
    section: "the-chain-was-replaced",
  },
  store_refuses: { remedy: "Free disk space (npm start), or look at the home object's storage errors and size." },
  store_damaged: { remedy: "Recover the table's rows.", section: "a-table-of-the-store-is-damaged" },
  limiter_local: { remedy: "Look at the platform's status page.", section: "a-regions-outage" },
  limiter_full: { remedy: "Raise LIMITER_SHARDS; in an attack add a rule of the zone.", section: "zone" },
} as const satisfies Readonly<Record<string, ProblemRow>>;

export type ProblemCode = keyof typeof PROBLEMS;

/** A problem for the operator. `code` and `subject` are for machines, `message` is for people. */
export interface Problem {
  readonly code: ProblemCode;
  readonly subject: string;
  readonly message: string;
}

/** A problem as it is published, with its remedy in sentences. */
export interface PublishedProblem extends Problem {
  readonly remedy: string;
}

/** Adds the remedy of its code to a problem, for publication. */
export function publishedProblem(problem: Problem): PublishedProblem {
  const { remedy, section }: ProblemRow = PROBLEMS[problem.code];
  return { ...problem, remedy: section === undefined ? remedy : `${remedy} See docs/operations.md#${section}.` };
}
