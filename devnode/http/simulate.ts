import { hexOf } from "../../src/chain/hex.ts";
import { SIGNED_TRANSACTION_TYPES } from "../../src/chain/media-types.ts";
import { flag } from "../../src/chain/parameters.ts";
import { signingMessageFromJson } from "../codec/transaction-request.ts";
import { interfaces } from "../framework/abi.ts";
import { vmStatusDetail } from "../vm/effects.ts";
import { GAS_SCHEDULE } from "../vm/gas-schedule.ts";
import { either, json, takes } from "./endpoint.ts";
import { isError, refuse, refuseEarly } from "./node-error.ts";
import { jsonOf, readOr } from "./request-body.ts";
import { signedOf } from "./submit.ts";
import { transactionRecordJson } from "./transaction-record.ts";
import { transactionRecordBcs } from "./transaction-record-bcs.ts";

/** `POST /v1/transactions/simulate`: a list of one record, as if executed on the tip; 200 whatever its status. */
export const simulate = takes(SIGNED_TRANSACTION_TYPES, {
  query: { estimate_max_gas_amount: flag, estimate_gas_unit_price: flag, estimate_prioritized_gas_unit_price: flag },
  answer: async ({ query, body, format }, node) => {
    const signed = body.kind === "bcs" ? body.bytes : signedOf(node, body.value, "");
    if (isError(signed)) return signed;
    const result = await node.ledger.simulate(signed, {
      estimateMaxGasAmount: query.estimate_max_gas_amount ?? false,
      estimateGasUnitPrice: query.estimate_gas_unit_price ?? false,
      estimatePrioritizedGasUnitPrice: query.estimate_prioritized_gas_unit_price ?? false,
    });
    switch (result.kind) {
      case "valid_signature":
        return refuse("invalid_input", "Simulated transactions must not have a valid signature");
      case "invalid_input":
        return refuse("invalid_input", result.message);
      case "simulated": {
        const { transaction } = result;
        const answer = either(format, {
          json: () => [explained(transactionRecordJson(transaction), vmStatusDetail(transaction.status))],
          bcs: () => transactionRecordBcs(transaction),
        });
        return { ...answer, gasUsed: BigInt(transaction.gasUsed) };
      }
    }
  },
});

/** A simulation explains a failure in more detail than the ledger stores. */
function explained(record: Record<string, unknown>, detail: string | undefined): Record<string, unknown> {
  return detail === undefined ? record : { ...record, vm_status: `${String(record["vm_status"])}\n${detail}` };
}

/** `POST /v1/transactions/encode_submission`: the message that a sender without BCS signs, as hex. */
export const encodeSubmission = takes([], {
  answer: ({ body, format }, node) => {
    if (format === "bcs") return refuseEarly("bcs_not_supported", "BCS is not supported for encode submission");
    const message = readOr(
      signingMessageFromJson(jsonOf(body), node.ledger.info().chainId, interfaces),
      "The given transaction is invalid: ",
    );
    if (isError(message)) return message;
    const max = GAS_SCHEDULE.maximumTransactionBytes;
    return message.length > max
      ? refuse("invalid_input", `The message has ${message.length} bytes; a signed transaction has at most ${max}.`)
      : json(hexOf(message));
  },
});
