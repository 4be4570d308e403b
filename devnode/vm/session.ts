import { type Address, addressOfBytes } from "../../src/chain/address.ts";
import { equalBytes } from "../../src/chain/bytes.ts";
import { decode, encode } from "../codec/bcs.ts";
import type { Schema } from "../framework/schema.ts";
import type { ItemTypes, MoveEvent, StateChange } from "./effects.ts";
import { executionFailure, type VmError } from "./execution-error.ts";
import type { Meter } from "./gas-meter.ts";
import { resourceKeyOfType, type StateKey, type StateReader, tableItemKey } from "./state-keys.ts";

/** The address of module events, which belong to no account. */
const NO_ACCOUNT = addressOfBytes(new Uint8Array(32));

/**
 * The state during one transaction: reads the version below and collects writes and events, which become its effects.
 * Values are typed by schema; a stored value that does not match its schema is a bug and throws RangeError.
 */
export class Session {
  readonly #state: StateReader;
  #meter: Meter | null;
  readonly #loaded = new Set<StateKey>();
  readonly #events: MoveEvent[] = [];
  /** Types of the written items; a rollback need not remove them. */
  readonly #itemTypes = new Map<StateKey, ItemTypes>();
  #overlay = new Map<StateKey, Uint8Array | null>();

  /** Without a meter nothing is charged, as for genesis and block metadata. */
  constructor(state: StateReader, meter: Meter | null) {
    this.#state = state;
    this.#meter = meter;
  }

  has(schema: Pick<Schema<unknown>, "type">, address: Address): boolean {
    return this.#load(resourceKeyOfType(schema.type, address)) !== undefined;
  }

  find<T>(schema: Schema<T>, address: Address): T | undefined {
    const bytes = this.#load(resourceKeyOfType(schema.type, address));
    return bytes === undefined ? undefined : decodeStored(schema, bytes);
  }

  /** As Move's borrow_global: throws VmError when the resource is missing, or the given abort. */
  get<T>(schema: Schema<T>, address: Address, missing = () => noResource(schema, address)): T {
    const value = this.find(schema, address);
    if (value === undefined) throw missing();
    return value;
  }

  put<T>(schema: Schema<T>, address: Address, value: T): void {
    this.#overlay.set(resourceKeyOfType(schema.type, address), encode(schema, value));
  }

  remove(schema: Schema<unknown>, address: Address): void {
    this.#overlay.set(resourceKeyOfType(schema.type, address), null);
  }

  findItem<K, V>(handle: Address, keySchema: Schema<K>, key: K, valueSchema: Schema<V>): V | undefined {
    const bytes = this.#load(tableItemKey(handle, encode(keySchema, key)));
    return bytes === undefined ? undefined : decodeStored(valueSchema, bytes);
  }

  putItem<K, V>(handle: Address, keySchema: Schema<K>, key: K, valueSchema: Schema<V>, value: V): void {
    this.#setItem(handle, keySchema, key, valueSchema.type, encode(valueSchema, value));
  }

  removeItem<K>(handle: Address, keySchema: Schema<K>, key: K, valueSchema: Schema<unknown>): void {
    this.#setItem(handle, keySchema, key, valueSchema.type, null);
  }

  /** Writes bytes other than resources: published modules. */
  putRaw(key: StateKey, bytes: Uint8Array): void {
    this.#overlay.set(key, bytes);
  }

  /** Emits an event of a handle's stream. */
  emitAt<T>(address: Address, creationNumber: bigint, sequenceNumber: bigint, schema: Schema<T>, value: T): void {
    const data = encode(schema, value);
    if (this.#meter !== null) {
      const { schedule } = this.#meter;
      this.#meter.chargeIo(schedule.event + schedule.eventPerByte * BigInt(data.length));
    }
    this.#events.push({ guid: { creationNumber, address }, sequenceNumber, type: schema.type, data });
  }

  /** Emits a module event, which has no stream. */
  emit<T>(schema: Schema<T>, value: T): void {
    this.emitAt(NO_ACCOUNT, 0n, 0n, schema, value);
  }

  /** From here on the transaction is not charged. */
  stopCharging(): void {
    this.#meter = null;
  }

  /** Rolls back all writes and events. */
  reset(): void {
    this.rollback({ overlay: new Map(), eventCount: 0 });
  }

  /** The state that a rollback restores. */
  savepoint() {
    return { overlay: new Map(this.#overlay), eventCount: this.#events.length };
  }

  rollback({ overlay, eventCount }: ReturnType<Session["savepoint"]>): void {
    this.#overlay = new Map(overlay);
    this.#events.length = eventCount;
  }

  events(): readonly MoveEvent[] {
    return this.#events;
  }

  /** The writes that change something, in key order. */
  changes(): readonly StateChange[] {
    const changes: StateChange[] = [];
    for (const [key, value] of [...this.#overlay].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const before = this.#state.get(key);
      if (value === null) {
        if (before !== undefined) changes.push({ kind: "delete", key, ...this.#itemOf(key) });
      } else if (before === undefined || !equalBytes(before, value))
        changes.push({ kind: "write", key, value, ...this.#itemOf(key) });
    }
    return changes;
  }

  /** Charges for the changes: io for every write, the storage fee for new slots. */
  chargeChanges(): void {
    if (this.#meter === null) return;
    const { schedule } = this.#meter;
    for (const change of this.changes()) {
      if (change.kind === "delete") {
        this.#meter.chargeIo(schedule.write);
        continue;
      }
      const size = BigInt(change.key.length / 2 + change.value.length);
      this.#meter.chargeIo(schedule.write + schedule.writePerByte * size);
      if (this.#state.get(change.key) === undefined)
        this.#meter.chargeStorage(schedule.storageFeePerSlot + schedule.storageFeePerByte * size);
    }
  }

  #setItem<K>(handle: Address, keySchema: Schema<K>, key: K, type: string, bytes: Uint8Array | null): void {
    const stateKey = tableItemKey(handle, encode(keySchema, key));
    this.#itemTypes.set(stateKey, { key: keySchema.type, value: type });
    this.#overlay.set(stateKey, bytes);
  }

  #itemOf(key: StateKey): { readonly item?: ItemTypes } {
    const item = this.#itemTypes.get(key);
    return item === undefined ? {} : { item };
  }

  #load(key: StateKey): Uint8Array | undefined {
    const written = this.#overlay.get(key);
    if (written === null) return undefined;
    if (written !== undefined) return written;
    const bytes = this.#state.get(key);
    if (this.#meter !== null && !this.#loaded.has(key)) {
      this.#loaded.add(key);
      const { load, loadPerByte } = this.#meter.schedule;
      this.#meter.chargeIo(load + loadPerByte * BigInt(bytes?.length ?? 0));
    }
    return bytes;
  }
}

function noResource({ type }: Schema<unknown>, address: Address): VmError {
  const module = type.split("::").slice(0, 2).join("::");
  return executionFailure("MISSING_DATA", module, 0, `no ${type} at ${address}`);
}

function decodeStored<T>(schema: Schema<T>, value: Uint8Array): T {
  const decoded = decode(schema, value);
  if (decoded.kind === "malformed") throw new RangeError(`stored value is not a ${schema.type}: ${decoded.message}`);
  return decoded.value;
}
