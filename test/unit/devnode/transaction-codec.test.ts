import { expect, test } from "vitest";
import { transactionHash } from "../../../devnode/codec/signing.ts";
import { decodeSignedTransaction, encodeSignedTransaction } from "../../../devnode/codec/transaction.ts";
import { ALICE, BOB } from "../../../devnode/development-keys.ts";
import { transactionCodec } from "../../../devnode/transaction-codec.ts";
import { signed } from "../../support/ledger-world.ts";

const BYTES = signed({ from: ALICE, sequence: 7n, to: BOB.address, price: 150n });
const decoded = decodeSignedTransaction(BYTES);
if (decoded.kind === "malformed") throw new Error(decoded.message);

test.each(["specification", "signed"] as const)("decodes a transaction, hashed as %s", async (form) => {
  const intake = transactionCodec(form).decode(BYTES);
  if (intake.kind !== "candidate") throw new Error(intake.message);
  expect(intake.candidate).toMatchObject({
    hash: transactionHash(decoded.value, form),
    signedBytes: BYTES,
    transaction: {
      sender: { address: ALICE.address },
      sequenceNumber: 7n,
      gasUnitPrice: 150n,
      sizeBytes: BYTES.length,
    },
  });
  expect(await intake.verifySignatures()).toBeUndefined();
});

test("an invalid signature has its code; bytes that are not a transaction are invalid input", async () => {
  const forged = BYTES.map((byte, index) => (index === BYTES.length - 1 ? byte ^ 1 : byte));
  const intake = transactionCodec("specification").decode(forged);
  expect(intake.kind === "candidate" && (await intake.verifySignatures())).toMatchObject({ code: 1 });
  expect(transactionCodec("specification").decode(BYTES.slice(0, 9))).toEqual({
    kind: "invalid_input",
    message: "Failed to deserialize input into SignedTransaction: unexpected end of input",
  });
});

test("changing the gas changes no other field", () => {
  const { raw, authenticator } = decoded.value;
  const changed = transactionCodec("specification").withGas(BYTES, { maxGasAmount: 9n, gasUnitPrice: 8n });
  expect(changed).toEqual(
    encodeSignedTransaction({ raw: { ...raw, maxGasAmount: 9n, gasUnitPrice: 8n }, authenticator }),
  );
});
