/** Two names of one media type: the first from the specification, the second hard-coded in public SDKs. */
export const SIGNED_TRANSACTION_TYPES = [
  "application/x.node.signed_transaction+bcs",
  "application/x.aptos.signed_transaction+bcs",
] as const;
export const VIEW_FUNCTION_TYPES = [
  "application/x.node.view_function+bcs",
  "application/x.aptos.view_function+bcs",
] as const;

export const JSON_TYPE = "application/json";
/** Media type of a node's JSON responses. */
export const NODE_JSON_TYPE = `${JSON_TYPE}; charset=utf-8`;
/** Media type of BCS responses. */
export const BCS_TYPE = "application/x-bcs";

/** Returns a Content-Type without its parameters, in lower case. */
export function essenceOf(contentType: string): string {
  return contentType.split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Maximum size of a request body, in bytes. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;
