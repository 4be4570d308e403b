import {
  type Account,
  AccountAddress,
  type AnyRawTransaction,
  ChainId,
  Ed25519Account,
  Ed25519PrivateKey,
  EntryFunction,
  generateSignedTransaction,
  MultiAgentTransaction,
  MultiEd25519Account,
  MultiEd25519PublicKey,
  MultiKey,
  MultiKeyAccount,
  MultiSig,
  MultiSigTransactionPayload,
  parseTypeTag,
  RawTransaction,
  Secp256k1PrivateKey,
  SimpleTransaction,
  SingleKeyAccount,
  TransactionPayloadEntryFunction,
  TransactionPayloadMultiSig,
  U64,
} from "@aptos-labs/ts-sdk";

/** Properties of a generated transaction. */
export interface Shape {
  readonly kind: Kind;
  readonly sequenceNumber: bigint;
  readonly amount: bigint;
  readonly maxGasAmount: bigint;
  readonly gasUnitPrice: bigint;
  readonly expirationTimestampSecs: bigint;
  readonly chainId: number;
  readonly typeArguments: readonly string[];
  readonly multisig: boolean;
}

export const KINDS = [
  "ed25519",
  "single ed25519",
  "single secp256k1",
  "multi ed25519",
  "multi key",
  "multi agent",
  "fee payer",
  "fee payer signed before it was known",
] as const;
export type Kind = (typeof KINDS)[number];

const ed = (fill: number): Ed25519PrivateKey => new Ed25519PrivateKey(new Uint8Array(32).fill(fill));
const secp = (fill: number): Secp256k1PrivateKey => new Secp256k1PrivateKey(new Uint8Array(32).fill(fill));
const one = new Ed25519Account({ privateKey: ed(1) });
const two = new Ed25519Account({ privateKey: ed(2) });
const three = new Ed25519Account({ privateKey: ed(3) });

const ACCOUNTS: Readonly<Record<Kind, Account>> = {
  ed25519: one,
  "single ed25519": new SingleKeyAccount({ privateKey: ed(4) }),
  "single secp256k1": new SingleKeyAccount({ privateKey: secp(5) }),
  "multi ed25519": new MultiEd25519Account({
    publicKey: new MultiEd25519PublicKey({
      publicKeys: [1, 2, 3].map((fill) => ed(fill).publicKey()),
      threshold: 2,
    }),
    signers: [ed(1), ed(3)],
  }),
  "multi key": new MultiKeyAccount({
    multiKey: new MultiKey({
      publicKeys: [ed(1).publicKey(), secp(2).publicKey(), ed(3).publicKey()],
      signaturesRequired: 2,
    }),
    signers: [new SingleKeyAccount({ privateKey: secp(2) }), three],
  }),
  "multi agent": one,
  "fee payer": one,
  "fee payer signed before it was known": one,
};

/**
 * Builds and signs a transaction with the public SDK. Returns the bytes that it would submit, and the signed message.
 */
export function sdkTransaction(shape: Shape): { signed: Uint8Array; transaction: AnyRawTransaction; account: Account } {
  const account = ACCOUNTS[shape.kind];
  const raw = rawTransaction(shape, account.accountAddress);
  const sign = (transaction: AnyRawTransaction, signer: Account) =>
    signer.signTransactionWithAuthenticator(transaction);
  switch (shape.kind) {
    case "multi agent": {
      const transaction = new MultiAgentTransaction(raw, [two.accountAddress]);
      const signed = generateSignedTransaction({
        transaction,
        senderAuthenticator: sign(transaction, account),
        additionalSignersAuthenticators: [sign(transaction, two)],
      });
      return { signed, transaction, account };
    }
    case "fee payer":
    case "fee payer signed before it was known": {
      const transaction = new SimpleTransaction(raw, three.accountAddress);
      const open = new SimpleTransaction(raw, AccountAddress.ZERO);
      const signed = generateSignedTransaction({
        transaction,
        senderAuthenticator: sign(shape.kind === "fee payer" ? transaction : open, account),
        feePayerAuthenticator: sign(transaction, three),
      });
      return { signed, transaction, account };
    }
    case "ed25519":
    case "single ed25519":
    case "single secp256k1":
    case "multi ed25519":
    case "multi key": {
      const transaction = new SimpleTransaction(raw);
      const signed = generateSignedTransaction({ transaction, senderAuthenticator: sign(transaction, account) });
      return { signed, transaction, account };
    }
  }
}

function rawTransaction(shape: Shape, sender: AccountAddress): RawTransaction {
  const call = EntryFunction.build(
    "0x1::aptos_account",
    "transfer_coins",
    shape.typeArguments.map((text) => parseTypeTag(text)),
    [AccountAddress.from("0x2"), new U64(shape.amount)],
  );
  const payload = shape.multisig
    ? new TransactionPayloadMultiSig(new MultiSig(three.accountAddress, new MultiSigTransactionPayload(call)))
    : new TransactionPayloadEntryFunction(call);
  const { sequenceNumber, maxGasAmount, gasUnitPrice, expirationTimestampSecs, chainId } = shape;
  return new RawTransaction(
    sender,
    sequenceNumber,
    payload,
    maxGasAmount,
    gasUnitPrice,
    expirationTimestampSecs,
    new ChainId(chainId),
  );
}
