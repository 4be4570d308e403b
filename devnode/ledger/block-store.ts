import { addressBytes, addressOfBytes } from "../../src/chain/address.ts";
import { hashOfBytes } from "../../src/chain/hash-value.ts";
import { hashBytes } from "./digest.ts";
import { asBytes, integer, nullable, type RowOf, type Storage, Table } from "./storage.ts";

/** Versions and heights are numbers here, far below 2^53. */
const COLUMNS = {
  height: integer("height"),
  hash: asBytes("hash", hashOfBytes, hashBytes),
  epoch: integer("epoch"),
  round: integer("round"),
  proposer: asBytes("proposer", addressOfBytes, addressBytes),
  timestampMicros: integer("timestamp"),
  first: integer("first"),
  last: integer("last"),
  users: integer("users"),
  /** Lowest gas unit price among its user transactions; null when it has none. */
  lowestPrice: nullable(integer("lowest_price")),
};

/** A stored block. */
export type BlockRow = RowOf<typeof COLUMNS>;

/** Blocks by height and by version. */
export class BlockStore {
  readonly #table: Table<typeof COLUMNS>;

  constructor(storage: Storage) {
    this.#table = new Table(storage, "block", COLUMNS);
  }

  append(block: BlockRow): void {
    this.#table.insert(block);
  }

  newest(): BlockRow | undefined {
    return this.#table.select(`ORDER BY height DESC LIMIT 1`)[0];
  }

  oldest(): BlockRow | undefined {
    return this.#table.select(`ORDER BY height LIMIT 1`)[0];
  }

  atHeight(height: number): BlockRow | undefined {
    return this.#table.select(`WHERE height = ?`, height)[0];
  }

  /** The block that contains `version`, which must not be pruned. */
  holding(version: number): BlockRow | undefined {
    return this.#table.select(`WHERE first <= ? ORDER BY first DESC LIMIT 1`, version)[0];
  }

  /** Newest first. */
  prices(blocks: number): readonly { readonly users: number; readonly lowestPrice: bigint | null }[] {
    return this.#table
      .select(`ORDER BY height DESC LIMIT ?`, blocks)
      .map(({ users, lowestPrice }) => ({ users, lowestPrice: lowestPrice === null ? null : BigInt(lowestPrice) }));
  }

  drop(height: number): void {
    this.#table.delete(`WHERE height = ?`, height);
  }
}
