/**
 * Codes of all problems that /api/health can report, in the order of the table in docs/operations.md, which explains
 * them. A published code stays for good.
 */
export const PROBLEM_CODES = [
  "figure_unavailable",
  "figure_stale",
  "figure_unconfirmed",
  "rates_stale",
  "circulating_above_total",
  "total_above_max",
  "circulating_above_plan",
  "escrow_short",
  "locked_below_schedule",
  "wallet_unreadable",
  "staking_unreadable",
  "wallet_balance_fell",
  "supply_fell",
  "schedule_ended",
  "nodes_disagree",
  "one_word",
  "upstream_unreachable",
  "upstream_excluded",
  "upstream_wrong_chain",
  "upstream_contradicts",
  "upstream_outdated",
  "chain_behind",
  "node_reads_unavailable",
  "node_reads_stale",
  "chain_replaced",
  "store_refuses",
  "store_damaged",
  "limiter_local",
  "limiter_full",
] as const;

export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** A problem for the operator. `code` and `subject` are for machines, `message` is for people. */
export interface Problem {
  readonly code: ProblemCode;
  readonly subject: string;
  readonly message: string;
}
