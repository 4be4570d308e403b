import { account } from "./accounts.ts";
import { balance } from "./balance.ts";
import { blockByHeight, blockByVersion } from "./blocks.ts";
import { describe, gasPrice, healthy, ledgerInfo } from "./chain-info.ts";
import { eventsByCreationNumber, eventsByHandle } from "./events.ts";
import { fund, mint, tap } from "./faucet.ts";
import type { Route } from "./match-route.ts";
import { module, modules } from "./modules.ts";
import { rates } from "./rates.ts";
import { resource, resources } from "./resources.ts";
import { encodeSubmission, simulate } from "./simulate.ts";
import { submit, submitBatch } from "./submit.ts";
import { rawTableItem, tableItem } from "./tables.ts";
import {
  accountTransactions,
  transactionByHash,
  transactionByVersion,
  transactions,
  waitByHash,
} from "./transactions.ts";
import { view } from "./view.ts";

/** The only list of the node's paths. 404, 405 and `Allow` are read from it. */
export const ROUTES: readonly Route[] = [
  { method: "GET", path: "/v1", run: ledgerInfo },
  { method: "GET", path: "/v1/", run: ledgerInfo },
  { method: "GET", path: "/v1/-/healthy", run: healthy },
  { method: "GET", path: "/v1/spec.json", run: describe },
  { method: "GET", path: "/v1/estimate_gas_price", run: gasPrice },
  { method: "GET", path: "/v1/accounts/:address", run: account },
  { method: "GET", path: "/v1/accounts/:address/resources", run: resources },
  { method: "GET", path: "/v1/accounts/:address/resource/:resource_type", run: resource },
  { method: "GET", path: "/v1/accounts/:address/modules", run: modules },
  { method: "GET", path: "/v1/accounts/:address/module/:module_name", run: module },
  { method: "GET", path: "/v1/accounts/:address/balance/:asset_type", run: balance },
  { method: "GET", path: "/v1/accounts/:address/transactions", run: accountTransactions },
  { method: "GET", path: "/v1/accounts/:address/events/:creation_number", run: eventsByCreationNumber },
  { method: "GET", path: "/v1/accounts/:address/events/:event_handle/:field_name", run: eventsByHandle },
  { method: "GET", path: "/v1/blocks/by_height/:block_height", run: blockByHeight },
  { method: "GET", path: "/v1/blocks/by_version/:version", run: blockByVersion },
  { method: "GET", path: "/v1/transactions", run: transactions },
  { method: "POST", path: "/v1/transactions", run: submit },
  { method: "GET", path: "/v1/transactions/by_hash/:txn_hash", run: transactionByHash },
  { method: "GET", path: "/v1/transactions/by_version/:txn_version", run: transactionByVersion },
  { method: "GET", path: "/v1/transactions/wait_by_hash/:txn_hash", run: waitByHash },
  { method: "POST", path: "/v1/transactions/batch", run: submitBatch },
  { method: "POST", path: "/v1/transactions/simulate", run: simulate },
  { method: "POST", path: "/v1/transactions/encode_submission", run: encodeSubmission },
  { method: "POST", path: "/v1/tables/:table_handle/item", run: tableItem },
  { method: "POST", path: "/v1/tables/:table_handle/raw_item", run: rawTableItem },
  { method: "POST", path: "/v1/view", run: view },
  { method: "GET", path: "/rates", run: rates },
  { method: "GET", path: "/faucet", run: tap },
  { method: "POST", path: "/faucet/mint", run: mint },
  { method: "POST", path: "/faucet/fund", run: fund },
  { method: "POST", path: "/mint", run: mint },
  { method: "POST", path: "/fund", run: fund },
];
