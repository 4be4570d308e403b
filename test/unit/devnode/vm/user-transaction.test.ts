import { expect, test } from "vitest";
import type { AccountAuthenticator, Authenticator } from "../../../../devnode/codec/authenticator.ts";
import { authenticationKey } from "../../../../devnode/codec/signing.ts";
import { ALICE, BOB, CAROL } from "../../../../devnode/development-keys.ts";
import { userTransactionOf } from "../../../../devnode/vm/user-transaction.ts";
import { callTo } from "./world.ts";

const CALL = callTo("0x1::coin::register", []);
const RAW = {
  sender: ALICE.address,
  sequenceNumber: 7n,
  payload: { kind: "entry_function", entryFunction: CALL },
  maxGasAmount: 2_000n,
  gasUnitPrice: 100n,
  expirationTimestampSecs: 1_900_000_000n,
  chainId: 4,
} as const;

const byKey = (fill: number): AccountAuthenticator => ({
  kind: "ed25519",
  publicKey: new Uint8Array(32).fill(fill),
  signature: new Uint8Array(64),
});
const key = (fill: number) => authenticationKey(byKey(fill)) ?? null;
const sender = { address: ALICE.address, authenticationKey: key(1) };
const second = { address: BOB.address, authenticationKey: key(2) };
const multiAgent = {
  sender: byKey(1),
  secondaryAddresses: [BOB.address],
  secondarySigners: [byKey(2)],
};
const payer = { ...multiAgent, feePayerAddress: CAROL.address, feePayerSigner: byKey(3) };

test.each<[string, Authenticator, object]>([
  ["one key", { kind: "single_sender", sender: byKey(1) }, { sender, secondary: [], feePayer: null }],
  ["several signers", { kind: "multi_agent", ...multiAgent }, { sender, secondary: [second], feePayer: null }],
  [
    "a sponsor",
    { kind: "fee_payer", ...payer },
    { sender, secondary: [second], feePayer: { address: CAROL.address, authenticationKey: key(3) } },
  ],
  [
    "too few signatures: the last signer has no key",
    { kind: "multi_agent", ...multiAgent, secondarySigners: [] },
    { sender, secondary: [{ ...second, authenticationKey: null }], feePayer: null },
  ],
])("the signers of a transaction with %s", (_what, authenticator, signers) => {
  expect(userTransactionOf({ raw: RAW, authenticator }, 264)).toEqual({
    sequenceNumber: 7n,
    payload: { kind: "entry_function", entryFunction: CALL },
    maxGasAmount: 2_000n,
    gasUnitPrice: 100n,
    expirationSeconds: 1_900_000_000n,
    chainId: 4,
    sizeBytes: 264,
    ...signers,
  });
});
