import type { Authenticator } from "./codec/authenticator.ts";
import { signingMessage } from "./codec/signing.ts";
import { encodeSignedTransaction, type Payload, type RawTransaction } from "./codec/transaction.ts";
import { type DevelopmentAccount, FAUCET, signatureOf, signedBy } from "./development-keys.ts";
import type { GasOffer } from "./economy.ts";
import { CORE_RESOURCES } from "./framework/addresses.ts";

/** Far in the future, and a constant, so that the transactions are the same on every start. */
const EXPIRATION_SECONDS = 4_102_444_800n;

/** Signs for the development accounts and counts their sequence numbers. */
export class Signatures {
  readonly #chainId: number;
  readonly #gas: GasOffer;
  readonly #next = new Map<string, bigint>();

  constructor(chainId: number, gas: GasOffer) {
    this.#chainId = chainId;
    this.#gas = gas;
  }

  next({ name }: DevelopmentAccount): bigint {
    return this.#next.get(name) ?? 0n;
  }

  sign(account: DevelopmentAccount, payload: Payload, maxGasAmount = this.#gas.maxGasAmount): Uint8Array {
    return signedBy(account, this.#raw(account, payload, maxGasAmount));
  }

  /** `sponsor` pays for the gas. */
  sponsored(account: DevelopmentAccount, sponsor: DevelopmentAccount, payload: Payload): Uint8Array {
    const raw = this.#raw(account, payload, this.#gas.maxGasAmount);
    const form = { secondaryAddresses: [], feePayerAddress: sponsor.address } as const;
    const message = signingMessage(raw, { kind: "fee_payer", ...form });
    const authenticator: Authenticator = {
      kind: "fee_payer",
      sender: signatureOf(account, message),
      secondarySigners: [],
      feePayerSigner: signatureOf(sponsor, message),
      ...form,
    };
    return encodeSignedTransaction({ raw, authenticator });
  }

  #raw(account: DevelopmentAccount, payload: Payload, maxGasAmount: bigint): RawTransaction {
    const sequenceNumber = this.next(account);
    this.#next.set(account.name, sequenceNumber + 1n);
    const sender = account === FAUCET ? CORE_RESOURCES : account.address;
    const chainId = this.#chainId;
    return {
      gasUnitPrice: this.#gas.gasUnitPrice,
      sender,
      sequenceNumber,
      payload,
      maxGasAmount,
      expirationTimestampSecs: EXPIRATION_SECONDS,
      chainId,
    };
  }
}
