import { addressBytes } from "../src/chain/address.ts";
import { encodeBcs } from "./codec/bcs-writer.ts";
import type { RawTransaction } from "./codec/transaction.ts";
import { FAUCET, signedBy } from "./development-keys.ts";
import { CORE_RESOURCES, DEVELOPMENT } from "./framework/addresses.ts";
import type { Faucet } from "./ledger/funding.ts";

const MAX_GAS = 20_000n;
/** The minimum price: the faucet need not outbid others, because it makes blocks until its transaction commits. */
const GAS_PRICE = 100n;

/** Signs for the account with the reserve: one transaction creates the recipient if necessary and pays it. */
export function faucetSigner(chainId: number): Faucet {
  return {
    address: CORE_RESOURCES,
    maxFee: MAX_GAS * GAS_PRICE,
    sign: ({ recipient, amount, sequenceNumber, expirationSeconds }) => {
      const id = { address: DEVELOPMENT, module: "faucet", name: "fund" };
      const values = [addressBytes(recipient), encodeBcs((writer) => writer.u64(amount))];
      const raw: RawTransaction = {
        sender: CORE_RESOURCES,
        sequenceNumber,
        payload: { kind: "entry_function", entryFunction: { id, typeArguments: [], arguments: values } },
        maxGasAmount: MAX_GAS,
        gasUnitPrice: GAS_PRICE,
        expirationTimestampSecs: expirationSeconds,
        chainId,
      };
      return signedBy(FAUCET, raw);
    },
  };
}
