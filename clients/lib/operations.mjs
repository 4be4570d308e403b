/** Operations that every client performs, one row of the table each. */
export const OPERATIONS = {
  ledger: "Ledger information, gas price",
  fund: "Faucet",
  account: "Account, resource, module",
  pages: "A list of several pages is read to its end",
  balance: "Balance, also of `0xa` and of what does not exist",
  transfer: "Build, sign, submit, wait",
  failure: "A failed transaction says why",
  stale: "A stale sequence number is recognized",
  simulate: "Simulate",
  simulateSponsored: "Simulate for a sponsor that is not known yet, with a gas estimate",
  asset: "Send and read the native token as the fungible asset `0xa`",
  sponsored: "A sponsor pays the fee",
  multiAgent: "Two signers",
  transactions: "Transactions and blocks by hash, version, height",
  view: "View function",
  table: "Table item",
  rotate: "Rotate the key, find the account by it",
  localHash: "The hash computed by the client is the chain's (`TRANSACTION_HASH=signed`)",
};

/** Operations that hold only on a chain with settings of its own; all others run at the defaults. */
export const SETTINGS = { localHash: { TRANSACTION_HASH: "signed" } };
