import { ed25519 } from "@noble/curves/ed25519.js";
import { addressBytes } from "../src/chain/address.ts";
import { encodeBcs } from "./codec/bcs-writer.ts";
import { signingMessage } from "./codec/signing.ts";
import { encodeSignedTransaction, type RawTransaction } from "./codec/transaction.ts";
import { FAUCET } from "./development-keys.ts";
import { CORE_RESOURCES, DEVELOPMENT } from "./framework/addresses.ts";
import type { Faucet } from "./ledger/funding.ts";

const MAX_GAS = 20_000n;
/** The least there is: a faucet need not outbid anybody, blocks are made until its turn has come. */
const GAS_PRICE = 100n;

/** Signs as the account that holds the reserve: one transaction creates the recipient if need be and pays. */
export function faucetOf(chainId: number): Faucet {
  const { privateKey, publicKey } = FAUCET;
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
      const signature = ed25519.sign(signingMessage(raw, { kind: "plain" }), privateKey);
      return encodeSignedTransaction({ raw, authenticator: { kind: "ed25519", publicKey, signature } });
    },
  };
}
