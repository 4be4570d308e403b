import { ERROR_STATUS, type ErrorCode } from "../../src/chain/error-codes.ts";
import type { ApiErrorCode } from "../../src/http/failure.ts";
import { table } from "./reference.ts";

/** Error codes of `/api`, each with its status and cause; the type checker reports a missing code. */
const API_ERRORS: Readonly<Record<ApiErrorCode, readonly [number, string]>> = {
  invalid_input: [
    400,
    "A parameter is not understood, or two exclude one another. The message names it and what is allowed.",
  ],
  unsupported_version: [400, "`X-API-Version` names a version that is not served."],
  not_found: [404, "There is nothing at this path, or this deployment does not serve this figure."],
  method_not_allowed: [405, "The path exists, the method does not. `Allow` lists those that do."],
  version_removed: [410, "The API version has been removed. The message names its successor."],
  rate_limited: [429, "More requests than the limit allows. `Retry-After` is the time until the next attempt."],
  service_unavailable: [503, "The figure cannot be served now. `Retry-After` is the time until the next attempt."],
};

/** Error codes of `/v1`, each with its cause. */
const NODE_ERRORS: Readonly<Record<ErrorCode, string>> = {
  account_not_found: "There is no account at this address and version.",
  resource_not_found: "The account has no resource of this type.",
  module_not_found: "The account has no module of this name.",
  struct_field_not_found: "The event handle's resource has no such field.",
  version_not_found: "The chain has not reached this version.",
  transaction_not_found: "No transaction has this hash or version.",
  table_item_not_found: "The table has no item under this key.",
  block_not_found: "The chain has not reached this block.",
  state_value_not_found: "There is no raw value under this key.",
  version_pruned: "The version is older than the history that the nodes keep.",
  block_pruned: "The block is older than the history that the nodes keep.",
  invalid_input: "A parameter or the body is not understood.",
  invalid_transaction_update:
    "A pending transaction with this sequence number exists and cannot be replaced by this one.",
  sequence_number_too_old: "The account has used this sequence number.",
  vm_error: "The virtual machine refused the transaction or view.",
  health_check_failed: "The node is behind by more than the requested duration.",
  mempool_is_full: "The node takes no more transactions now. Wait, then submit again.",
  internal_error: "The node failed, or none could be reached (502, 503).",
  web_framework_error: "The request is refused before it is understood: 404, 405, 411, 413, 415 or 429.",
  bcs_not_supported: "This path answers JSON only.",
  api_disabled: "The node has this path switched off.",
};

/** Writes the errors of `/api` as a table in Markdown. */
export function apiErrorsTable(): string {
  return table(
    ["Status", "error_code", "Cause"],
    Object.entries(API_ERRORS).map(([code, [status, cause]]) => [String(status), `\`${code}\``, cause]),
  );
}

/** Writes the errors of `/v1` as a table in Markdown. */
export function nodeErrorsTable(): string {
  const rows = Object.entries(NODE_ERRORS).map(([code, cause]) => {
    const status = ERROR_STATUS[code as ErrorCode];
    return [code === "web_framework_error" ? "400 and others" : String(status), `\`${code}\``, cause];
  });
  return table(["Status", "error_code", "Cause"], rows);
}
