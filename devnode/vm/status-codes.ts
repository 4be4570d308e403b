/**
 * The virtual machine's numbers for statuses that carry none themselves: the API's `vm_error_code`
 * (move-core-types, vm_status.rs).
 */
export const VM_STATUS_CODES: Readonly<Record<string, number>> = {
  INVALID_MAIN_FUNCTION_SIGNATURE: 1011,
  CONSTRAINT_NOT_SATISFIED: 1075,
  NUMBER_OF_TYPE_ARGUMENTS_MISMATCH: 1076,
  LINKER_ERROR: 1081,
  FUNCTION_RESOLUTION_FAILURE: 1091,
  NUMBER_OF_ARGUMENTS_MISMATCH: 1098,
  FAILED_TO_DESERIALIZE_ARGUMENT: 1100,
  NUMBER_OF_SIGNER_ARGUMENTS_MISMATCH: 1101,
  EXECUTE_ENTRY_FUNCTION_CALLED_ON_NON_ENTRY_FUNCTION: 1103,
  TYPE_RESOLUTION_FAILURE: 2021,
};

/** The numbers of what fails inside a function (the same source). */
export const EXECUTION_FAILURE_CODES = { MISSING_DATA: 4008, ARITHMETIC_ERROR: 4017 } as const;
