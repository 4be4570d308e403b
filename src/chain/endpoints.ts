/** The endpoints of a chain node as data: routes, parameters and bodies derive from this table. */

export type EndpointId =
  | "ledger_info"
  | "healthy"
  | "account"
  | "account_resources"
  | "account_resource"
  | "account_modules"
  | "account_module"
  | "account_balance"
  | "account_transactions"
  | "events_by_handle"
  | "events_by_creation_number"
  | "block_by_height"
  | "block_by_version"
  | "transactions"
  | "transaction_by_hash"
  | "transaction_by_version"
  | "wait_by_hash"
  | "submit"
  | "submit_batch"
  | "simulate"
  | "encode_submission"
  | "table_item"
  | "raw_table_item"
  | "view"
  | "estimate_gas_price"
  | "account_transaction_summaries"
  | "transactions_auxiliary_info"
  | "node_info";

/** Parameter types of paths and queries. */
export type ParameterKind =
  | "address"
  | "hash"
  | "u64"
  | "u32"
  | "bool"
  | "struct_tag"
  | "asset"
  | "identifier"
  | "cursor";

export type QueryParameter = ParameterKind | { readonly pageOf: number; readonly max: number };

/** `read` is cached by its rule; `compute` runs at the tip and is never stored; `submit` is sent once. */
export type Mode = "read" | "wait" | "compute" | "submit";

export interface Endpoint {
  readonly id: EndpointId;
  readonly method: "GET" | "POST";
  /** Public path; `:name` matches one segment, parsed as {@link PATH_KINDS} defines. */
  readonly path: string;
  readonly mode: Mode;
  readonly query: Readonly<Record<string, QueryParameter>>;
  /** Kind of request body, by its media types. The node checks the content. */
  readonly body: "none" | "json" | "transaction" | "view";
}

export const PATH_KINDS: Readonly<Record<string, ParameterKind>> = {
  address: "address",
  table_handle: "address",
  resource_type: "struct_tag",
  event_handle: "struct_tag",
  asset_type: "asset",
  module_name: "identifier",
  field_name: "identifier",
  creation_number: "u64",
  block_height: "u64",
  version: "u64",
  txn_version: "u64",
  txn_hash: "hash",
};

const AT_VERSION = { ledger_version: "u64" } as const;
/** Default and maximum page size of the public node software; a greater `limit` is clamped. */
const PAGE = { pageOf: 25, max: 100 } as const;
const STATE_PAGE = { pageOf: 9_999, max: 9_999 } as const;
const SIMULATE = {
  estimate_max_gas_amount: "bool",
  estimate_gas_unit_price: "bool",
  estimate_prioritized_gas_unit_price: "bool",
} as const;

type EndpointRow = readonly [
  id: EndpointId,
  method: "GET" | "POST",
  path: string,
  query?: Endpoint["query"],
  body?: Endpoint["body"],
  mode?: Mode,
];

const ROWS: readonly EndpointRow[] = [
  ["ledger_info", "GET", "/v1"],
  ["healthy", "GET", "/v1/-/healthy", { duration_secs: "u32" }, "none", "compute"],
  ["account", "GET", "/v1/accounts/:address", AT_VERSION],
  [
    "account_resources",
    "GET",
    "/v1/accounts/:address/resources",
    { ...AT_VERSION, start: "cursor", limit: STATE_PAGE },
  ],
  ["account_resource", "GET", "/v1/accounts/:address/resource/:resource_type", AT_VERSION],
  ["account_modules", "GET", "/v1/accounts/:address/modules", { ...AT_VERSION, start: "cursor", limit: STATE_PAGE }],
  ["account_module", "GET", "/v1/accounts/:address/module/:module_name", AT_VERSION],
  ["account_balance", "GET", "/v1/accounts/:address/balance/:asset_type", AT_VERSION],
  ["account_transactions", "GET", "/v1/accounts/:address/transactions", { start: "u64", limit: PAGE }],
  ["events_by_creation_number", "GET", "/v1/accounts/:address/events/:creation_number", { start: "u64", limit: PAGE }],
  ["events_by_handle", "GET", "/v1/accounts/:address/events/:event_handle/:field_name", { start: "u64", limit: PAGE }],
  ["block_by_height", "GET", "/v1/blocks/by_height/:block_height", { with_transactions: "bool" }],
  ["block_by_version", "GET", "/v1/blocks/by_version/:version", { with_transactions: "bool" }],
  ["transactions", "GET", "/v1/transactions", { start: "u64", limit: PAGE }],
  ["transaction_by_hash", "GET", "/v1/transactions/by_hash/:txn_hash"],
  ["wait_by_hash", "GET", "/v1/transactions/wait_by_hash/:txn_hash", {}, "none", "wait"],
  ["transaction_by_version", "GET", "/v1/transactions/by_version/:txn_version"],
  ["submit", "POST", "/v1/transactions", {}, "transaction", "submit"],
  ["submit_batch", "POST", "/v1/transactions/batch", {}, "transaction", "submit"],
  ["simulate", "POST", "/v1/transactions/simulate", SIMULATE, "transaction", "compute"],
  ["encode_submission", "POST", "/v1/transactions/encode_submission", {}, "json", "compute"],
  ["table_item", "POST", "/v1/tables/:table_handle/item", AT_VERSION, "json"],
  ["raw_table_item", "POST", "/v1/tables/:table_handle/raw_item", AT_VERSION, "json"],
  ["view", "POST", "/v1/view", AT_VERSION, "view"],
  ["estimate_gas_price", "GET", "/v1/estimate_gas_price"],
];

/** Endpoints that current nodes serve without documenting them. A node without one of them refuses the request. */
const UNDOCUMENTED_ROWS: readonly EndpointRow[] = [
  [
    "account_transaction_summaries",
    "GET",
    "/v1/accounts/:address/transaction_summaries",
    { start_version: "u64", end_version: "u64", limit: "u32" },
  ],
  ["transactions_auxiliary_info", "GET", "/v1/transactions/auxiliary_info", { start: "u64", limit: "u32" }],
  ["node_info", "GET", "/v1/info", {}, "none", "compute"],
];

const endpointOf = ([id, method, path, query = {}, body = "none", mode = "read"]: EndpointRow): Endpoint => {
  return { id, method, path, query, body, mode };
};

/** Endpoints of the published interface document. */
export const DOCUMENTED_ENDPOINTS: readonly Endpoint[] = ROWS.map(endpointOf);
export const ENDPOINTS: readonly Endpoint[] = [...DOCUMENTED_ENDPOINTS, ...UNDOCUMENTED_ROWS.map(endpointOf)];

/** Endpoints about the node itself: they have no item that could be missing or pruned. */
const ABOUT_THE_NODE: readonly EndpointId[] = ["ledger_info", "healthy", "estimate_gas_price", "encode_submission"];

/** Whether the interface document lists the status for an endpoint as an answer of the node. */
export function isNodeStatus(
  { endpoint, mode, method }: { readonly endpoint: EndpointId; readonly mode: Mode; readonly method: "GET" | "POST" },
  status: number,
): boolean {
  switch (status) {
    case 200:
      return mode !== "submit";
    case 202:
      return mode === "submit";
    case 206:
      return endpoint === "submit_batch";
    case 400:
    case 500:
      return true;
    case 403:
    case 411:
    case 413:
    case 415:
      return method === "POST";
    case 404:
      return !ABOUT_THE_NODE.includes(endpoint);
    case 410:
      return ![...ABOUT_THE_NODE, "node_info", "simulate"].includes(endpoint) && mode !== "submit";
    case 503:
      return endpoint === "healthy";
    case 507:
      return mode === "submit" || endpoint === "simulate";
    default:
      return false;
  }
}
