import type { Surface } from "./check-response.ts";
import type { Answer } from "./wire.ts";

const API_CODES: Readonly<Record<number, readonly string[]>> = {
  400: ["invalid_input", "unsupported_version"],
  404: ["not_found"],
  405: ["method_not_allowed"],
  410: ["version_removed"],
  429: ["rate_limited"],
  503: ["service_unavailable"],
};

const FRAMEWORK = ["web_framework_error"];
const NODE_CODES: Readonly<Record<number, readonly string[]>> = {
  400: [
    ...FRAMEWORK,
    "invalid_input",
    "invalid_transaction_update",
    "sequence_number_too_old",
    "vm_error",
    "bcs_not_supported",
  ],
  403: ["api_disabled"],
  404: [
    ...FRAMEWORK,
    "account_not_found",
    "resource_not_found",
    "module_not_found",
    "struct_field_not_found",
    "version_not_found",
    "transaction_not_found",
    "table_item_not_found",
    "block_not_found",
    "state_value_not_found",
  ],
  405: FRAMEWORK,
  410: ["version_pruned", "block_pruned"],
  411: FRAMEWORK,
  413: FRAMEWORK,
  415: FRAMEWORK,
  429: FRAMEWORK,
  502: ["internal_error"],
  503: ["internal_error", "health_check_failed"],
  507: ["mempool_is_full"],
};

/** Checks the Error object in its surface's form, and the fields that its status requires. */
export function errorFaults(surface: Surface, { status, fields, body }: Answer): string[] {
  const faults: string[] = [];
  const type = fields.get("content-type")?.[0] ?? "";
  if (!type.startsWith("application/json")) faults.push(`an error as ${type}`);
  if (fields.get("cache-control")?.join() !== "no-store")
    faults.push(`an error may be kept: ${fields.get("cache-control")?.join()}`);
  // Retry-After is optional here: nobody knows when a stale tip will be refreshed.
  const unknown = body.includes('"health_check_failed"');
  if ((status === 429 || (status === 503 && !unknown)) && !/^[1-9]\d*$/.test(fields.get("retry-after")?.join() ?? ""))
    faults.push(`${status} with Retry-After ${fields.get("retry-after")?.join()}`);
  if (status === 405 && !/^[A-Z]+(, [A-Z]+)*$/.test(fields.get("allow")?.join() ?? ""))
    faults.push(`405 with Allow ${fields.get("allow")?.join()}`);
  return [...faults, ...objectFaults(surface, status, body.toString("utf8"))];
}

function objectFaults(surface: Surface, status: number, text: string): string[] {
  const value = record(text);
  if (value === null) return [`not an Error object: ${text.slice(0, 100)}`];
  const { message, error_code: code, vm_error_code: vmCode } = value;
  const faults = typeof message === "string" && message.length > 0 ? [] : ["an error without a message"];
  // The faucet belongs to neither interface: the edge's errors have the public API's form, the node's its own.
  const node = surface === "node" || (surface === "faucet" && "vm_error_code" in value);
  const codes = (node ? NODE_CODES : API_CODES)[status];
  if (codes === undefined) faults.push(`status ${status} is not one of the ${surface} surface`);
  else if (!codes.includes(String(code))) faults.push(`${status} with error_code ${String(code)}`);
  const keys = Object.keys(value).sort().join();
  const wanted = node ? "error_code,message,vm_error_code" : "error_code,message";
  // The health report has more members, as documented.
  if (keys !== wanted && !("checked_at" in value)) faults.push(`an error of ${keys}`);
  if (node && vmCode !== null && !(Number.isSafeInteger(vmCode) && code !== "web_framework_error"))
    faults.push(`vm_error_code ${String(vmCode)}`);
  return faults;
}

function record(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
