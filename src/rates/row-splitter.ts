import { parseJson } from "../json.ts";

/** A row as large as this is none: the largest known has some 4 KB. */
const MAX_VALUE_BYTES = 65_536;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
/** RFC 8259 section 2; a byte order mark, which section 8.1 allows a parser to ignore, counts as such at the start. */
const WHITESPACE: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];
const BYTE_ORDER_MARK: readonly number[] = [0xef, 0xbb, 0xbf];

/** What comes next outside of the values. */
type Expected =
  | "listing"
  | "first key"
  | "key"
  | "colon"
  | "member"
  | "after member"
  | "first row"
  | "row"
  | "after row"
  | "end";

/** A value that is being read. `bytes` is null when it is skipped. */
interface Value {
  bytes: Uint8Array[] | null;
  length: number;
  depth: number;
  isText: boolean;
  isEscaped: boolean;
  readonly isScalar: boolean;
}

/** What a listing is made of: its own date, then its rows, each a JSON value. */
export interface ListingParts {
  readonly onDate: (date: unknown) => void;
  /** Undefined for a row of more than 64 KiB. */
  readonly onRow: (row: unknown) => void;
}

/**
 * Reads `{ "as_of": date, "data": [row, ...] }` or `[row, ...]` while it arrives, however it is cut into chunks, and
 * keeps no more of it than one row. Members of other names are skipped unread.
 */
export class RowSplitter {
  readonly #parts: ListingParts;
  #expected: Expected = "listing";
  #value: Value | null = null;
  #key: unknown = null;
  #isWrapped = false;
  #hasRows = false;
  #position = 0;
  #isValid = true;

  constructor(parts: ListingParts) {
    this.#parts = parts;
  }

  /** False as soon as the text cannot be a listing: there is no use in reading on. */
  push(chunk: Uint8Array): boolean {
    let index = 0;
    while (this.#isValid && index < chunk.length)
      index = this.#value === null ? this.#step(chunk, index) : this.#scan(this.#value, chunk, index);
    this.#position += chunk.length;
    return this.#isValid;
  }

  /** Whether all of it was one listing, from its first byte to its last. */
  end(): boolean {
    return this.#isValid && this.#hasRows && this.#expected === "end" && this.#value === null;
  }

  /** Reads one byte between values; the index of the next one to be read. */
  #step(chunk: Uint8Array, index: number): number {
    const byte = chunk[index] ?? 0;
    if (WHITESPACE.includes(byte) || BYTE_ORDER_MARK[this.#position + index] === byte) return index + 1;
    switch (this.#expected) {
      case "listing":
        this.#isWrapped = byte === OPEN_BRACE;
        if (byte === OPEN_BRACKET) return this.#startRows(index);
        return this.#goOn(byte === OPEN_BRACE, "first key", index);
      case "first key":
        if (byte === CLOSE_BRACE) return this.#goOn(true, "end", index);
        return this.#startKey(byte, index);
      case "key":
        return this.#startKey(byte, index);
      case "colon":
        return this.#goOn(byte === COLON, "member", index);
      case "member":
        if (this.#key === "data" && byte === OPEN_BRACKET) return this.#startRows(index);
        return this.#startValue(byte, this.#key === "as_of", index);
      case "after member":
        return byte === CLOSE_BRACE ? this.#goOn(true, "end", index) : this.#goOn(byte === COMMA, "key", index);
      case "first row":
        return byte === CLOSE_BRACKET ? this.#endRows(index) : this.#startValue(byte, true, index);
      case "row":
        return this.#startValue(byte, true, index);
      case "after row":
        return byte === CLOSE_BRACKET ? this.#endRows(index) : this.#goOn(byte === COMMA, "row", index);
      case "end":
        return this.#goOn(false, "end", index);
    }
  }

  #goOn(isValid: boolean, next: Expected, index: number): number {
    this.#isValid = isValid;
    this.#expected = next;
    return index + 1;
  }

  /** Rows that come twice have no order; the first list would be published with the second. */
  #startRows(index: number): number {
    const isFirst = !this.#hasRows;
    this.#hasRows = true;
    return this.#goOn(isFirst, "first row", index);
  }

  #endRows(index: number): number {
    return this.#goOn(true, this.#isWrapped ? "after member" : "end", index);
  }

  #startKey(byte: number, index: number): number {
    this.#isValid = byte === QUOTE;
    this.#expected = "key";
    return this.#startValue(byte, true, index);
  }

  #startValue(byte: number, isWanted: boolean, index: number): number {
    const isScalar = byte !== OPEN_BRACE && byte !== OPEN_BRACKET && byte !== QUOTE;
    this.#value = { bytes: isWanted ? [] : null, length: 0, depth: 0, isText: false, isEscaped: false, isScalar };
    return index;
  }

  /** Reads on in a value; the index of the first byte behind the value or the chunk. */
  #scan(value: Value, chunk: Uint8Array, from: number): number {
    let { depth, isText, isEscaped } = value;
    const { isScalar } = value;
    let index = from;
    let isWhole = false;
    for (; index < chunk.length && !isWhole; index += 1) {
      const byte = chunk[index] ?? 0;
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) {
          isText = false;
          isWhole = depth === 0;
        }
      } else if (byte === QUOTE) isText = true;
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (isScalar) break;
        depth -= 1;
        isWhole = depth === 0;
      } else if (isScalar && (byte === COMMA || WHITESPACE.includes(byte))) break;
    }
    Object.assign(value, { depth, isText, isEscaped });
    value.length += index - from;
    if (value.length > MAX_VALUE_BYTES) value.bytes &&= [];
    else value.bytes?.push(chunk.subarray(from, index));
    // A number or a word ends before what follows it, which may be in the next chunk.
    if (isWhole || (isScalar && index < chunk.length)) this.#endValue(value);
    return index;
  }

  #endValue({ bytes, length }: Value): void {
    this.#value = null;
    const isTooLong = length > MAX_VALUE_BYTES;
    const isUnread = bytes === null || isTooLong;
    const read = isUnread ? undefined : parseJson(textOf(bytes));
    this.#isValid = isUnread ? length > 0 : read !== undefined;
    if (!this.#isValid) return;
    switch (this.#expected) {
      case "key":
        this.#key = read;
        this.#expected = "colon";
        break;
      case "member":
        // Behind the rows it is too late: they have been dated already.
        if (this.#key === "as_of") this.#isValid = !this.#hasRows;
        if (this.#key === "as_of") this.#parts.onDate(read);
        this.#expected = "after member";
        break;
      default:
        this.#parts.onRow(read);
        this.#expected = "after row";
    }
  }
}

function textOf(bytes: readonly Uint8Array[]): string {
  const [only] = bytes;
  const decoder = new TextDecoder();
  if (only !== undefined && bytes.length === 1) return decoder.decode(only);
  return bytes.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
}
