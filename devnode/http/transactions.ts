import { address, hash, u64Text, uint16, uint64 } from "../../src/chain/parameters.ts";
import { encodeBcs } from "../codec/bcs-writer.ts";
import type { CommittedTransaction, HashLookup, PendingTransaction } from "../ledger/api.ts";
import { noAccount } from "./accounts.ts";
import { type Answer, either, type Outcome, reads } from "./endpoint.ts";
import { isError, refuse } from "./node-error.ts";
import type { Format } from "./response-format.ts";
import { pageSize, versionError } from "./state-lookup.ts";
import { foundJson, transactionRecordJson } from "./transaction-record.ts";
import { lookupBcs, transactionRecordBcs } from "./transaction-record-bcs.ts";

const DEFAULT_TRANSACTIONS = 25;
const MAX_TRANSACTIONS = 100;

/** `GET /v1/transactions` */
export const transactions = reads({
  query: { start: u64Text, limit: uint16 },
  answer: ({ query, format }, node) => {
    const limit = pageSize(query.limit, DEFAULT_TRANSACTIONS, MAX_TRANSACTIONS);
    if (isError(limit)) return limit;
    const found = node.ledger.transactions(query.start ?? null, limit);
    switch (found.kind) {
      case "found":
        return listAnswer(found.value, format);
      case "version_pruned":
        return versionError(found);
      case "start_beyond_tip":
        return refuse(
          "invalid_input",
          `Given start value (${found.start}) is higher than the current ledger version, it must be < ${node.ledger.info().version}`,
        );
    }
  },
});

/** `GET /v1/accounts/{address}/transactions`: those that the account sent, by sequence number. */
export const accountTransactions = reads({
  path: { address },
  query: { start: u64Text, limit: uint16 },
  answer: ({ path, query, format }, node) => {
    const limit = pageSize(query.limit, DEFAULT_TRANSACTIONS, MAX_TRANSACTIONS);
    if (isError(limit)) return limit;
    const found = node.ledger.accountTransactions(path.address, query.start ?? null, limit);
    switch (found.kind) {
      case "found":
        return listAnswer(found.value, format);
      case "version_pruned":
        return versionError(found);
      case "account_not_found":
        return node.settings.statelessAccounts
          ? listAnswer([], format)
          : noAccount(path.address, node.ledger.info().version);
    }
  },
});

function listAnswer(list: readonly CommittedTransaction[], format: Format): Answer {
  return either(format, {
    json: () => list.map((record) => transactionRecordJson(record)),
    bcs: () => encodeBcs((writer) => writer.vector(list, (inner, record) => inner.fixed(transactionRecordBcs(record)))),
  });
}

/** `GET /v1/transactions/by_version/{txn_version}` */
export const transactionByVersion = reads({
  path: { txn_version: uint64 },
  answer: ({ path, format }, node) => {
    const found = node.ledger.transactionByVersion(path.txn_version);
    switch (found.kind) {
      case "found":
        return foundAnswer(found.value, format);
      case "version_pruned":
        return versionError(found);
      case "version_not_found":
        return refuse("transaction_not_found", `Transaction not found by Ledger version(${path.txn_version})`);
    }
  },
});

/** `GET /v1/transactions/by_hash/{txn_hash}`: committed, else pending. */
export const transactionByHash = reads({
  path: { txn_hash: hash },
  answer: ({ path, format }, node) => hashAnswer(node.ledger.transactionByHash(path.txn_hash), path.txn_hash, format),
});

/** `GET /v1/transactions/wait_by_hash/{txn_hash}`: as by_hash, after its commit or after one second. */
export const waitByHash = reads({
  path: { txn_hash: hash },
  answer: async ({ path, format }, node) =>
    hashAnswer(await node.ledger.waitByHash(path.txn_hash), path.txn_hash, format),
});

function hashAnswer(found: HashLookup, hash: string, format: Format): Outcome {
  return found.kind === "found"
    ? foundAnswer(found.value, format)
    : refuse("transaction_not_found", `Transaction not found by Transaction hash(${hash})`);
}

function foundAnswer(found: CommittedTransaction | PendingTransaction, format: Format): Answer {
  return either(format, { json: () => foundJson(found), bcs: () => lookupBcs(found) });
}
