import { type Address, addressBytes, addressOfBytes } from "../../src/chain/address.ts";
import { type HashValue, hashOfBytes } from "../../src/chain/hash-value.ts";
import { hashBytes } from "./digest.ts";
import type { BlockPrices } from "./gas-estimate.ts";
import { bytesIn, integerIn, type Row, type Storage } from "./storage.ts";

/** A stored block. Versions and heights are numbers here, far below 2^53. */
export interface BlockRow {
  readonly height: number;
  readonly hash: HashValue;
  readonly epoch: number;
  readonly round: number;
  readonly proposer: Address;
  readonly timestampMicros: number;
  readonly first: number;
  readonly last: number;
  readonly users: number;
  /** Lowest gas unit price among its user transactions; null when it has none. */
  readonly lowestPrice: number | null;
}

const COLUMNS = `height, hash, epoch, round, proposer, timestamp, first, last, users, lowest_price`;

/** Blocks by height and by version. */
export class BlockStore {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  append(block: BlockRow): void {
    this.#storage.run(
      `INSERT INTO block (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      block.height,
      hashBytes(block.hash),
      block.epoch,
      block.round,
      addressBytes(block.proposer),
      block.timestampMicros,
      block.first,
      block.last,
      block.users,
      block.lowestPrice,
    );
  }

  newest(): BlockRow | undefined {
    return this.#one(`ORDER BY height DESC LIMIT 1`);
  }

  oldest(): BlockRow | undefined {
    return this.#one(`ORDER BY height LIMIT 1`);
  }

  atHeight(height: number): BlockRow | undefined {
    return this.#one(`WHERE height = ?`, height);
  }

  /** The block that contains `version`, which must not be pruned. */
  holding(version: number): BlockRow | undefined {
    return this.#one(`WHERE first <= ? ORDER BY first DESC LIMIT 1`, version);
  }

  /** Newest first. */
  prices(blocks: number): readonly BlockPrices[] {
    return this.#storage
      .run(`SELECT users, lowest_price FROM block ORDER BY height DESC LIMIT ?`, blocks)
      .map((row) => ({ users: integerIn(row, "users"), lowestPrice: priceIn(row) }));
  }

  drop(height: number): void {
    this.#storage.run(`DELETE FROM block WHERE height = ?`, height);
  }

  #one(clause: string, ...values: readonly number[]): BlockRow | undefined {
    const [row] = this.#storage.run(`SELECT ${COLUMNS} FROM block ${clause}`, ...values);
    return row === undefined ? undefined : blockIn(row);
  }
}

function blockIn(row: Row): BlockRow {
  const lowestPrice = priceIn(row);
  return {
    height: integerIn(row, "height"),
    hash: hashOfBytes(bytesIn(row, "hash")),
    epoch: integerIn(row, "epoch"),
    round: integerIn(row, "round"),
    proposer: addressOfBytes(bytesIn(row, "proposer")),
    timestampMicros: integerIn(row, "timestamp"),
    first: integerIn(row, "first"),
    last: integerIn(row, "last"),
    users: integerIn(row, "users"),
    lowestPrice: lowestPrice === null ? null : Number(lowestPrice),
  };
}

function priceIn(row: Row): bigint | null {
  return row["lowest_price"] === null ? null : BigInt(integerIn(row, "lowest_price"));
}
