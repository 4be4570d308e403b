import type { Ledger } from "../ledger/api.ts";

/** Context of an endpoint for one request. */
export interface Node {
  readonly ledger: Ledger;
  readonly settings: NodeSettings;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
}

export interface NodeSettings {
  /** Prefix of the ledger headers, with its dash: `X-NODE-`. */
  readonly headerPrefix: string;
  /** An address without an account is served as one with sequence number 0, as on newer chains. */
  readonly statelessAccounts: boolean;
  readonly revision: string;
}
