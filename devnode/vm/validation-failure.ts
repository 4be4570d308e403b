/**
 * Why a transaction may not enter a block: the status names of the virtual machine's validation and their numbers,
 * which are the API's `vm_error_code`.
 */
export const VALIDATION_CODES = {
  INVALID_SIGNATURE: 1,
  INVALID_AUTH_KEY: 2,
  SEQUENCE_NUMBER_TOO_OLD: 3,
  SEQUENCE_NUMBER_TOO_NEW: 4,
  INSUFFICIENT_BALANCE_FOR_TRANSACTION_FEE: 5,
  TRANSACTION_EXPIRED: 6,
  SENDING_ACCOUNT_DOES_NOT_EXIST: 7,
  EXCEEDED_MAX_TRANSACTION_SIZE: 10,
  UNKNOWN_SCRIPT: 11,
  UNKNOWN_MODULE: 12,
  MAX_GAS_UNITS_EXCEEDS_MAX_GAS_UNITS_BOUND: 13,
  MAX_GAS_UNITS_BELOW_MIN_TRANSACTION_GAS_UNITS: 14,
  GAS_UNIT_PRICE_BELOW_MIN_BOUND: 15,
  GAS_UNIT_PRICE_ABOVE_MAX_BOUND: 16,
  BAD_CHAIN_ID: 23,
  SEQUENCE_NUMBER_TOO_BIG: 24,
  FEATURE_UNDER_GATING: 26,
  SECONDARY_KEYS_ADDRESSES_COUNT_MISMATCH: 27,
  SIGNERS_CONTAIN_DUPLICATES: 28,
  ACCOUNT_NOT_MULTISIG: 31,
  NOT_MULTISIG_OWNER: 32,
  MULTISIG_TRANSACTION_NOT_FOUND: 33,
  MULTISIG_TRANSACTION_INSUFFICIENT_APPROVALS: 34,
  MULTISIG_TRANSACTION_PAYLOAD_DOES_NOT_MATCH_HASH: 35,
  GAS_PAYER_ACCOUNT_MISSING: 36,
} as const;

export type ValidationStatus = keyof typeof VALIDATION_CODES;

export interface ValidationFailure {
  readonly status: ValidationStatus;
  /** The API's `vm_error_code`. */
  readonly code: number;
  /** An explanation, where the status name is not enough. */
  readonly message?: string;
}

export function validationFailure(status: ValidationStatus, message?: string): ValidationFailure {
  const code = VALIDATION_CODES[status];
  return message === undefined ? { status, code } : { status, code, message };
}
