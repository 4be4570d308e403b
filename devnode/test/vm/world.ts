import type { Address } from "../../../src/chain/address.ts";
import { hashOfBytes } from "../../../src/chain/hash-value.ts";
import { parseTypeTag } from "../../../src/chain/type-tag.ts";
import { encodeBcs } from "../../codec/bcs-writer.ts";
import { parseEntryFunctionId } from "../../codec/entry-function-id.ts";
import { moveValueToJson } from "../../codec/move-value.ts";
import type { EntryFunction } from "../../codec/transaction.ts";
import { ALICE, WALLET_OWNERS } from "../../development-keys.ts";
import { structLayout } from "../../framework/abi.ts";
import { FRAMEWORK, fixedAddress, NATIVE_COIN } from "../../framework/addresses.ts";
import { coinSupply } from "../../framework/coin.ts";
import { coinBalance } from "../../framework/coin-state.ts";
import type { Schema } from "../../framework/schema.ts";
import { executeGenesis } from "../../genesis.ts";
import type { GenesisWallet } from "../../genesis-wallets.ts";
import { executeBlockMetadata } from "../../vm/block-metadata.ts";
import { callView, type ViewOutcome } from "../../vm/call-view.ts";
import { type Effects, printVmStatus } from "../../vm/effects.ts";
import { GAS_SCHEDULE } from "../../vm/gas-schedule.ts";
import type { Outcome } from "../../vm/run-user-transaction.ts";
import { executeUserTransaction } from "../../vm/run-user-transaction.ts";
import { Session } from "../../vm/session.ts";
import { resourceKeyOfType } from "../../vm/state-keys.ts";
import type { UserTransaction } from "../../vm/user-transaction.ts";
import { MemoryState } from "../support/memory-state.ts";

const [COMMUNITY, , FOUNDATION] = WALLET_OWNERS;
export const CHAIN = 4;
const START_MICROS = 1_700_000_000_000_000n;
export const NOW_SECONDS = START_MICROS / 1_000_000n;

export interface Who {
  readonly address: Address;
  readonly authenticationKey: Uint8Array;
}

/** The bytes of an argument of a call. */
export function given<T>(schema: Schema<T>, value: T): Uint8Array {
  return encodeBcs((writer) => schema.write(writer, value));
}

export function callTo(id: string, values: readonly Uint8Array[], types: readonly string[] = []): EntryFunction {
  const parsed = parseEntryFunctionId(id);
  if (parsed === undefined) throw new Error(id);
  const typeArguments = types.map((type) => {
    const tag = parseTypeTag(type);
    if (tag === undefined) throw new Error(type);
    return tag;
  });
  return { id: parsed, typeArguments, arguments: values };
}

/** One wallet of each kind that a schedule's locked tokens may be in; the first pool has more than the minimum stake. */
export const WALLETS: readonly GenesisWallet[] = [
  { holds: "account", address: COMMUNITY.address, amount: 1_000_000_000_003n, reference: null },
  { holds: "stake_pool", address: FOUNDATION.address, amount: 200_000_000_000_003n, reference: null },
  { holds: "vesting", address: fixedAddress("0x7e57"), amount: 3_000_000_000_003n, reference: null },
  {
    holds: "delegation",
    address: COMMUNITY.address,
    amount: 4_000_000_000_003n,
    reference: fixedAddress("0xde1e"),
  },
  {
    holds: "delegation",
    address: FOUNDATION.address,
    amount: 5_000_000_000_003n,
    reference: fixedAddress("0xde1e"),
  },
  {
    holds: "staking_contract",
    address: COMMUNITY.address,
    amount: 6_000_000_000_003n,
    reference: fixedAddress("0x09e7"),
  },
];
const GENESIS = executeGenesis({ chainId: CHAIN, epochSeconds: 7200, genesisWallets: WALLETS });

/** A chain in memory, after its first block. */
export class World {
  readonly state = new MemoryState();

  constructor() {
    this.state.apply(GENESIS);
    this.block(START_MICROS);
  }

  block(timestampMicros: bigint): Effects {
    const hash = hashOfBytes(new Uint8Array(32).fill(9));
    const head = { hash, round: 1n, proposer: ALICE.address, timestampMicros };
    const effects = executeBlockMetadata(head, this.state);
    this.state.apply(effects);
    return effects;
  }

  get session(): Session {
    return new Session(this.state, null);
  }

  balance(owner: Address): bigint {
    return coinBalance(this.session, NATIVE_COIN, owner);
  }

  supply(): bigint {
    return coinSupply(this.session, NATIVE_COIN) ?? 0n;
  }

  transaction(who: Who, call: EntryFunction, changes: Partial<UserTransaction> = {}): UserTransaction {
    return {
      sender: { address: who.address, authenticationKey: who.authenticationKey },
      secondary: [],
      feePayer: null,
      sequenceNumber: this.sequenceNumber(who.address),
      payload: { kind: "entry_function", entryFunction: call },
      maxGasAmount: 20_000n,
      gasUnitPrice: 100n,
      expirationSeconds: NOW_SECONDS + 60n,
      chainId: CHAIN,
      sizeBytes: 264,
      ...changes,
    };
  }

  sequenceNumber(address: Address): bigint {
    const outcome = this.view("0x1::account::get_sequence_number", [encodeBcs((writer) => writer.address(address))]);
    if (outcome.kind !== "returned") return 0n;
    return new DataView(outcome.values[0]?.bytes.buffer ?? new ArrayBuffer(8)).getBigUint64(0, true);
  }

  /** Executes a transaction and applies its effects. */
  execute(transaction: UserTransaction): Outcome {
    const outcome = executeUserTransaction(transaction, this.state, GAS_SCHEDULE);
    if (outcome.kind === "committed") this.state.apply(outcome.effects);
    return outcome;
  }

  simulate(transaction: UserTransaction, overrides: Partial<UserTransaction> = {}): Outcome {
    return executeUserTransaction({ ...transaction, ...overrides }, this.state, GAS_SCHEDULE, true);
  }

  /** Executes a call; returns its `vm_status`, or the name of the validation failure. */
  run(who: Who, id: string, values: readonly Uint8Array[], types: readonly string[] = []): string {
    return statusOf(this.execute(this.transaction(who, callTo(id, values, types))));
  }

  /** Returns a resource of the framework as the REST interface shows it. */
  resource(type: string): unknown {
    const tag = parseTypeTag(type);
    const bytes = this.state.get(resourceKeyOfType(type, FRAMEWORK));
    if (tag === undefined || bytes === undefined) throw new Error(`no ${type}`);
    const json = moveValueToJson(tag, bytes, structLayout);
    if (json.kind === "malformed") throw new Error(json.message);
    return json.value;
  }

  view(id: string, values: readonly Uint8Array[], types: readonly string[] = []): ViewOutcome {
    return callView(callTo(id, values, types), this.state, GAS_SCHEDULE);
  }
}

export function statusOf(outcome: Outcome): string {
  return outcome.kind === "committed" ? printVmStatus(outcome.effects.status) : outcome.failure.status;
}

export function effectsOf(outcome: Outcome): Effects {
  if (outcome.kind === "committed") return outcome.effects;
  throw new Error(outcome.failure.status);
}
