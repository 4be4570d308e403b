import { ERROR_STATUS, type ErrorCode } from "../../src/chain/error-codes.ts";

/** Any refusal, as data. {@link errorBody} is its only wire form. */
export interface NodeError {
  readonly kind: "error";
  readonly status: number;
  readonly errorCode: ErrorCode;
  readonly message: string;
  readonly vmErrorCode: number | null;
  /** Whether the ledger fields go with it: not when the request was refused before the ledger was asked. */
  readonly withLedger: boolean;
  /** Methods that the path does allow; null unless the method was the fault. */
  readonly allow: readonly string[] | null;
}

/** A refusal by the ledger or about its content: carries the ledger fields. */
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

/** A refusal of the request itself, before the ledger was looked at: no ledger fields. */
export function refuseEarly(errorCode: ErrorCode, message: string): NodeError {
  return { ...refuse(errorCode, message), withLedger: false };
}

/** What a web framework says by itself: unknown path, wrong method, unreadable parameter or body. */
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

/** `vm_error_code` is always there, null when the virtual machine had no say. */
export function errorBody({ message, errorCode, vmErrorCode }: NodeError): string {
  return JSON.stringify({ message, error_code: errorCode, vm_error_code: vmErrorCode });
}
