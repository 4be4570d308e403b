import { ed25519 } from "@noble/curves/ed25519.js";
import { type Address, addressBytes } from "../../../src/chain/address.ts";
import type { HashValue } from "../../../src/chain/hash-value.ts";
import { encodeBcs } from "../../codec/bcs-writer.ts";
import { signingMessage, transactionHash } from "../../codec/signing.ts";
import { decodeSignedTransaction, encodeSignedTransaction, type RawTransaction } from "../../codec/transaction.ts";
import type { DevelopmentAccount } from "../../development-keys.ts";
import { economyOf } from "../../economy.ts";
import { faucetSigner } from "../../faucet-signer.ts";
import { FRAMEWORK } from "../../framework/addresses.ts";
import { GENESIS_SUPPLY } from "../../genesis.ts";
import { type LedgerSettings, openLedger, type RunningLedger } from "../../ledger/ledger.ts";
import type { Storage } from "../../ledger/storage.ts";
import { nativeMachine } from "../../native-machine.ts";
import { transactionCodec } from "../../transaction-codec.ts";

export const CHAIN_ID = 4;
export const START_MS = 1_800_000_000_000;

export interface TransactionRequest {
  readonly from: DevelopmentAccount;
  /** The account's address, if it is not its key's. */
  readonly sender?: Address;
  readonly sequence: bigint;
  /** Function to call: the framework's, unless an address is given. */
  readonly call?: {
    readonly address?: Address;
    readonly module: string;
    readonly name: string;
    readonly arguments: readonly Uint8Array[];
  };
  readonly to?: Address;
  readonly amount?: bigint;
  readonly price?: bigint;
  readonly maxGas?: bigint;
  readonly expires?: bigint;
  readonly chainId?: number;
  /** Signs another message. */
  readonly forged?: boolean;
}

/** BCS of a transaction signed with ed25519: by default a transfer of the native coin. */
export function signed(request: TransactionRequest): Uint8Array {
  const call = request.call ?? {
    module: "aptos_account",
    name: "transfer",
    arguments: [addressBytes(request.to ?? FRAMEWORK), u64(request.amount ?? 1n)],
  };
  const id = {
    address: ("address" in call ? call.address : undefined) ?? FRAMEWORK,
    module: call.module,
    name: call.name,
  };
  const raw: RawTransaction = {
    sender: request.sender ?? request.from.address,
    sequenceNumber: request.sequence,
    payload: { kind: "entry_function", entryFunction: { id, typeArguments: [], arguments: call.arguments } },
    maxGasAmount: request.maxGas ?? 2_000n,
    gasUnitPrice: request.price ?? 100n,
    expirationTimestampSecs: request.expires ?? BigInt(START_MS) / 1_000n + 3_600n,
    chainId: request.chainId ?? CHAIN_ID,
  };
  const { privateKey, publicKey } = request.from;
  const signature = request.forged
    ? new Uint8Array(64)
    : ed25519.sign(signingMessage(raw, { kind: "plain" }), privateKey);
  return encodeSignedTransaction({ raw, authenticator: { kind: "ed25519", publicKey, signature } });
}

export function u64(value: bigint): Uint8Array {
  return encodeBcs((writer) => writer.u64(value));
}

export const SETTINGS: LedgerSettings = {
  chainId: CHAIN_ID,
  pruneWindow: 1_000_000,
  blockMs: 250,
  heartbeatMs: 10_000,
  mempool: { capacity: 1_000, capacityBytes: 1_000_000, perAccount: 100, timeToLiveMs: 600_000 },
};

/** Hash as the specification defines it. */
export function hashOfSigned(signedBytes: Uint8Array): HashValue {
  const decoded = decodeSignedTransaction(signedBytes);
  if (decoded.kind === "malformed") throw new Error(decoded.message);
  return transactionHash(decoded.value, "specification");
}

/** A ledger over real SQLite and the real machine, with a manual clock. */
export interface World {
  readonly ledger: RunningLedger;
  readonly errors: unknown[];
  /** The times at which the ledger reported that its next block may be due at another time. */
  readonly changedAtMs: number[];
  nowMs: number;
  /** Advances the clock by `seconds` and writes a block. */
  readonly block: (seconds?: number) => void;
  /** A new instance over the same storage, as after a crash. */
  readonly reopened: () => World;
}

export function openWorld(storage: Storage, settings: Partial<LedgerSettings> = {}, nowMs = START_MS): World {
  const errors: unknown[] = [];
  const changedAtMs: number[] = [];
  const clock = { nowMs };
  const ledger = openLedger(
    { ...SETTINGS, ...settings },
    {
      storage,
      machine: nativeMachine({ chainId: CHAIN_ID, epochSeconds: 7_200 }),
      codec: transactionCodec("specification"),
      faucet: faucetSigner(CHAIN_ID, economyOf(GENESIS_SUPPLY).gas),
      nowMs: () => clock.nowMs,
      timer: (delayMs, work) => {
        const handle = setTimeout(work, delayMs);
        return () => clearTimeout(handle);
      },
      logUnexpected: (cause) => errors.push(cause),
      onChange: () => changedAtMs.push(clock.nowMs),
    },
  );
  return Object.assign(clock, {
    ledger,
    errors,
    changedAtMs,
    block: (seconds = 1) => {
      clock.nowMs += seconds * 1_000;
      ledger.makeBlock();
    },
    reopened: () => openWorld(storage, settings, clock.nowMs),
  });
}
