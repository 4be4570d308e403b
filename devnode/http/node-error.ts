import { ERROR_STATUS, type ErrorCode } from "../../src/chain/error-codes.ts";

/** An error response as data. {@link errorBody} serializes it. */
export interface NodeError {
  readonly kind: "error";
  readonly status: number;
  readonly errorCode: ErrorCode;
  readonly message: string;
  readonly vmErrorCode: number | null;
  /** Whether the response has the ledger headers: not when the request was refused before reading the ledger. */
  readonly withLedger: boolean;
  /** Methods that the path allows; null unless the method was the problem. */
  readonly allow: readonly string[] | null;
}

/** An error by the ledger or about its content: has the ledger headers. */
export function refuse(errorCode: ErrorCode, message: string, vmErrorCode: number | null = null): NodeError {
  return {
    kind: "error",
    status: ERROR_STATUS[errorCode],
    errorCode,
    message,
    vmErrorCode,
    withLedger: true,
    allow: null,
  };
}

/** An error in the request itself, found before reading the ledger: no ledger headers. */
export function refuseEarly(errorCode: ErrorCode, message: string): NodeError {
  return { ...refuse(errorCode, message), withLedger: false };
}

/** An error of the web framework: unknown path, wrong method, malformed parameter or body. */
export function refuseRequest(status: 400 | 403 | 404 | 405 | 411 | 413 | 415, message: string): NodeError {
  return { ...refuseEarly("web_framework_error", message), status };
}

/** The path exists, for other methods. */
export function refuseMethod(allow: readonly string[]): NodeError {
  return { ...refuseRequest(405, "method not allowed"), allow };
}

export function isError(value: unknown): value is NodeError {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "error";
}

/** `vm_error_code` is always present; null for errors outside the virtual machine. */
export function errorBody({ message, errorCode, vmErrorCode }: NodeError): string {
  return JSON.stringify({ message, error_code: errorCode, vm_error_code: vmErrorCode });
}
