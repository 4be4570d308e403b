/** The error codes of the node for what does not exist. */
export const NOT_FOUND_STATUS = {
  account_not_found: 404,
  resource_not_found: 404,
  module_not_found: 404,
  struct_field_not_found: 404,
  version_not_found: 404,
  transaction_not_found: 404,
  table_item_not_found: 404,
  block_not_found: 404,
  state_value_not_found: 404,
} as const;

/** All error codes of the node (specification, Errors) with the default status of each. */
export const ERROR_STATUS = {
  ...NOT_FOUND_STATUS,
  version_pruned: 410,
  block_pruned: 410,
  invalid_input: 400,
  invalid_transaction_update: 400,
  sequence_number_too_old: 400,
  vm_error: 400,
  health_check_failed: 503,
  mempool_is_full: 507,
  internal_error: 500,
  web_framework_error: 400,
  bcs_not_supported: 400,
  api_disabled: 403,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;
