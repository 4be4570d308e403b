import type { Ledger } from "../ledger/api.ts";

/** Everything that an endpoint may ask for, as of one request. */
export interface Node {
  readonly ledger: Ledger;
  readonly settings: NodeSettings;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
}

export interface NodeSettings {
  /** Start of the ledger fields' names, dash included: `X-NODE-`. */
  readonly headerPrefix: string;
  /** An address without an account answers as one with sequence number 0, as newer chains do. */
  readonly statelessAccounts: boolean;
  readonly revision: string;
}
