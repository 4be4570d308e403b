import { addressBytes } from "../src/chain/address.ts";
import { encodeBcs } from "./codec/bcs-writer.ts";
import type { RawTransaction } from "./codec/transaction.ts";
import { FAUCET, signedBy } from "./development-keys.ts";
import type { GasOffer } from "./economy.ts";
import { CORE_RESOURCES, DEVELOPMENT } from "./framework/addresses.ts";
import type { Faucet } from "./ledger/funding.ts";

/**
 * Signs for the account with the reserve: one transaction creates the recipient if necessary and pays it. The minimum
 * price is enough: the faucet need not outbid others, because it makes blocks until its transaction commits.
 */
export function faucetSigner(chainId: number, gas: GasOffer): Faucet {
  return {
    address: CORE_RESOURCES,
    maxFee: gas.maxGasAmount * gas.gasUnitPrice,
    sign: ({ recipient, amount, sequenceNumber, expirationSeconds }) => {
      const id = { address: DEVELOPMENT, module: "faucet", name: "fund" };
      const values = [addressBytes(recipient), encodeBcs((writer) => writer.u64(amount))];
      const raw: RawTransaction = {
        ...gas,
        sender: CORE_RESOURCES,
        sequenceNumber,
        payload: { kind: "entry_function", entryFunction: { id, typeArguments: [], arguments: values } },
        expirationTimestampSecs: expirationSeconds,
        chainId,
      };
      return signedBy(FAUCET, raw);
    },
  };
}
