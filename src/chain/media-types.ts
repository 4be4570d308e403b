/** Both spellings are the same thing: the first is the specification's, the second is hard-coded in public SDKs. */
export const SIGNED_TRANSACTION_TYPES = [
  "application/x.node.signed_transaction+bcs",
  "application/x.aptos.signed_transaction+bcs",
] as const;
export const VIEW_FUNCTION_TYPES = [
  "application/x.node.view_function+bcs",
  "application/x.aptos.view_function+bcs",
] as const;

export const JSON_TYPE = "application/json";
/** Of a node's answers. */
export const NODE_JSON_TYPE = `${JSON_TYPE}; charset=utf-8`;
/** Of answers. */
export const BCS_TYPE = "application/x-bcs";

/** A Content-Type without its parameters, in lower case. */
export function essenceOf(contentType: string): string {
  return contentType.split(";")[0]?.trim().toLowerCase() ?? "";
}

/** The largest request body that a node reads, in bytes. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;
