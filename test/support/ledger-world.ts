import { ed25519 } from "@noble/curves/ed25519.js";
import { sha3_256 } from "@noble/hashes/sha3.js";
import { type DevelopmentAccount, FAUCET } from "../../devnode/development-keys.ts";
import { CORE_RESOURCES, FRAMEWORK } from "../../devnode/framework/addresses.ts";
import { type LedgerSettings, openLedger, type RunningLedger } from "../../devnode/ledger/ledger.ts";
import type { Codecs } from "../../devnode/ledger/machine.ts";
import type { Storage } from "../../devnode/ledger/storage.ts";
import { nativeMachine } from "../../devnode/machine.ts";
import type { UserTransaction } from "../../devnode/vm/transaction.ts";
import { type Address, addressBytes } from "../../src/chain/address.ts";
import { encodeBcs } from "../../src/chain/bcs.ts";
import { type HashValue, hashOfBytes } from "../../src/chain/hash-value.ts";

export const CHAIN_ID = 4;
export const START_MS = 1_800_000_000_000;

export interface Wish {
  readonly from: DevelopmentAccount;
  /** Where the account stands, when not at its key's own address. */
  readonly sender?: Address;
  readonly sequence: bigint;
  readonly call?: { readonly module: string; readonly name: string; readonly arguments: readonly Uint8Array[] };
  readonly to?: Address;
  readonly amount?: bigint;
  readonly price?: bigint;
  readonly maxGas?: bigint;
  readonly expires?: bigint;
  readonly chainId?: number;
  /** Sign something else. */
  readonly forged?: boolean;
}

const SIGNING_PREFIX = sha3_256(new TextEncoder().encode("APTOS::RawTransaction"));
const known = new Map<string, UserTransaction>();

/** BCS of a transaction signed with ed25519: by default a transfer of the native coin. */
export function signed(wish: Wish): Uint8Array {
  const { from, sequence, price = 100n, maxGas = 2_000n, expires = BigInt(START_MS) / 1_000n + 3_600n } = wish;
  const sender = wish.sender ?? from.address;
  const call = wish.call ?? {
    module: "aptos_account",
    name: "transfer",
    arguments: [addressBytes(wish.to ?? FRAMEWORK), u64(wish.amount ?? 1n)],
  };
  const raw = encodeBcs((writer) =>
    writer
      .address(sender)
      .u64(sequence)
      .uleb(2)
      .address(FRAMEWORK)
      .string(call.module)
      .string(call.name)
      .vector([], () => undefined)
      .vector(call.arguments, (inner, argument) => inner.octets(argument))
      .u64(maxGas)
      .u64(price)
      .u64(expires)
      .u8(wish.chainId ?? CHAIN_ID),
  );
  const message = wish.forged === true ? new Uint8Array(32) : Uint8Array.of(...SIGNING_PREFIX, ...raw);
  const signature = ed25519.sign(message, from.privateKey);
  const bytes = encodeBcs((writer) => writer.fixed(raw).uleb(0).octets(from.publicKey).octets(signature));
  known.set(hashOfSigned(bytes), {
    sender: { address: sender, authenticationKey: from.authenticationKey },
    secondary: [],
    feePayer: null,
    sequenceNumber: sequence,
    payload: {
      kind: "entry_function",
      call: {
        function: { address: FRAMEWORK, module: call.module, name: call.name },
        typeArguments: [],
        arguments: call.arguments,
      },
    },
    maxGasAmount: maxGas,
    gasUnitPrice: price,
    expirationSeconds: expires,
    chainId: wish.chainId ?? CHAIN_ID,
    sizeBytes: bytes.length,
  });
  return bytes;
}

export function u64(value: bigint): Uint8Array {
  return encodeBcs((writer) => writer.u64(value));
}

export const SETTINGS: LedgerSettings = {
  chainId: CHAIN_ID,
  pruneWindow: 1_000_000,
  blockMs: 250,
  heartbeatMs: 10_000,
  mempool: { capacity: 1_000, perAccount: 100, timeToLiveMs: 600_000 },
};

export function hashOfSigned(signedBytes: Uint8Array): HashValue {
  return hashOfBytes(sha3_256(signedBytes));
}

/** A ledger over real SQLite and the real machine, with a clock that moves when told to. */
export interface World {
  readonly ledger: RunningLedger;
  readonly complaints: unknown[];
  nowMs: number;
  /** Lets `seconds` pass and makes a block. */
  readonly block: (seconds?: number) => void;
  /** The same disk under a fresh instance, as after a crash. */
  readonly reopened: () => World;
}

export function openWorld(storage: Storage, settings: Partial<LedgerSettings> = {}, nowMs = START_MS): World {
  const complaints: unknown[] = [];
  const clock = { nowMs };
  const ledger = openLedger(
    { ...SETTINGS, ...settings },
    {
      storage,
      machine: nativeMachine({ chainId: CHAIN_ID, epochSeconds: 7_200 }),
      codecs: testCodecs,
      faucet: {
        address: CORE_RESOURCES,
        sign: async ({ recipient, amount, sequenceNumber, expirationSeconds }) =>
          signed({
            from: FAUCET,
            sender: CORE_RESOURCES,
            sequence: sequenceNumber,
            to: recipient,
            amount,
            expires: expirationSeconds,
          }),
      },
      nowMs: () => clock.nowMs,
      timer: (delayMs, work) => {
        const handle = setTimeout(work, delayMs);
        return () => clearTimeout(handle);
      },
      complain: (cause) => complaints.push(cause),
      onChange: () => undefined,
    },
  );
  return Object.assign(clock, {
    ledger,
    complaints,
    block: (seconds = 1) => {
      clock.nowMs += seconds * 1_000;
      ledger.makeBlock();
    },
    reopened: () => openWorld(storage, settings, clock.nowMs),
  });
}

const testCodecs: Codecs = {
  decode: (signedBytes) => {
    const hash = hashOfSigned(signedBytes);
    const transaction = known.get(hash);
    if (transaction === undefined) return { kind: "invalid_input", message: "unreadable" };
    const payload = encodeBcs((writer) => writer.fixed(signedBytes.slice(40, -131)));
    return { kind: "candidate", candidate: { transaction, signedBytes, hash, payload } };
  },
  signatureFault: async ({ signedBytes, transaction }) => {
    const raw = signedBytes.slice(0, -99);
    const [key, signature] = [signedBytes.slice(-97, -65), signedBytes.slice(-64)];
    const good = ed25519.verify(signature, Uint8Array.of(...SIGNING_PREFIX, ...raw), key);
    return good && transaction !== undefined ? undefined : { status: "INVALID_SIGNATURE", code: 1 };
  },
  withGas: (signedBytes) => signedBytes,
};
