import { isRecord, parseJson } from "../base/json.ts";

/** Largest row that is read, in bytes; larger rows are skipped. The largest known row has about 4 KB. */
const MAX_ROW_BYTES = 65_536;
/**
 * Most rows of a listing; the largest public one has about 20,000. Rows cost more than bytes. With both limits a
 * reading takes at most a second.
 */
const MAX_ROWS = 50_000;
/**
 * Most members of a row, and most arrays beside a listing's rows: more than any listing has. Each array costs a copy of
 * the frame.
 */
export const MAX_MEMBERS = 64;
/** Maximum length of the frame: the listing without its rows, with a digit and a comma for each row. */
const MAX_FRAME_CHARACTERS = 1_048_576;

/** A `status` of a listing that says it failed, so that its rows are not used. */
const FAILED = /^(error|fail)/i;
const NO_LISTING = "the answer is not a listing";
const TOO_MANY_ROWS = `the listing has more than ${MAX_ROWS} rows`;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Receiver of a listing's parts: its date, then its rows, each a JSON object or array. */
export interface ListingParts {
  /** Receives the date that precedes the first row; undefined: there is none. */
  readonly onDate: (date: unknown) => void;
  readonly onRow: (row: unknown) => void;
  /** Receives the reason for which a row is skipped and, if the row was buffered, its text. */
  readonly onUnread: (reason: string, text: string) => void;
}

/** Reader of a listing's rows, whose bytes arrive in chunks of any size. */
export interface RowReader {
  /** Takes the next bytes; false as soon as the text cannot be a listing, so that reading can stop. */
  readonly push: (chunk: Uint8Array) => boolean;
  /**
   * Returns the number of rows that are neither object nor array; a string is the reason why the text is not a listing.
   */
  readonly end: () => number | string;
}

/**
 * Reads `{ "as_of": date, "data": [row, ...] }` or `[row, ...]` while it arrives, in chunks of any size. Buffers only
 * one row and the frame, which is the listing with a 0 in place of each row. `JSON.parse` reads each row when it is
 * complete, and the frame at the end. An invalid row is skipped alone.
 */
export class RowSplitter implements RowReader {
  readonly #parts: ListingParts;
  readonly #decoder = new TextDecoder();
  #frame = "";
  /** Place at which the frame's newest member begins, and the number of arrays that began in members. */
  #memberAt = 0;
  #arrays = 0;
  #row: Uint8Array[] | null = null;
  #rowBytes = 0;
  #rows = 0;
  /** Depth of nesting inside the rows' array: 1, or 2 where an object contains the array; null before the array. */
  #rowsDepth: number | null = null;
  #isInRows = false;
  #date: unknown;
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  #hasBegun = false;
  #isValid = true;

  constructor(parts: ListingParts) {
    this.#parts = parts;
  }

  push(chunk: Uint8Array): boolean {
    let [depth, isText, isEscaped] = [this.#depth, this.#isText, this.#isEscaped];
    let from = 0;
    const takeUntil = (finish: number): void => {
      this.#take(chunk.subarray(from, finish));
      from = finish;
    };
    for (let index = 0; index < chunk.length && this.#isValid; index += 1) {
      const byte = chunk[index];
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isText = false;
      } else if (byte === QUOTE) isText = true;
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (depth <= 2 && this.#row === null) takeUntil(index);
        if (this.#isInRows && depth === this.#rowsDepth) this.#row = [];
        else if (byte === OPEN_BRACKET && depth <= 1) this.#startArray(depth);
        else if (depth === 0) this.#memberAt = this.#frame.length + 1;
        depth += 1;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        depth -= 1;
        if (this.#row !== null && depth === this.#rowsDepth) {
          takeUntil(index + 1);
          this.#endRow(this.#row);
        } else if (this.#row === null && depth + 1 === this.#rowsDepth) this.#isInRows = false;
      } else if (byte === COMMA && depth === 1 && !this.#isInRows) {
        takeUntil(index + 1);
        this.#memberAt = this.#frame.length;
      }
    }
    takeUntil(chunk.length);
    [this.#depth, this.#isText, this.#isEscaped] = [depth, isText, isEscaped];
    this.#isValid &&= this.#frame.length <= MAX_FRAME_CHARACTERS && (this.#hasBegun || this.#begins());
    return this.#isValid;
  }

  end(): number | string {
    if (this.#rows > MAX_ROWS) return TOO_MANY_ROWS;
    const frame = parseJson(this.#frame + this.#decoder.decode());
    if (!this.#isValid || this.#row !== null || this.#rowsDepth === null) return NO_LISTING;
    if (Array.isArray(frame)) return this.#othersOf(frame);
    // A date after the rows is refused, because the rows were already dated without it.
    if (!isRecord(frame) || JSON.stringify(frame["as_of"]) !== JSON.stringify(this.#date)) return NO_LISTING;
    const { data, status } = frame;
    if (typeof status === "string" && FAILED.test(status)) return "the listing says that it failed";
    return Array.isArray(data) ? this.#othersOf(data) : NO_LISTING;
  }

  #othersOf(rows: readonly unknown[]): number | string {
    return rows.length > MAX_ROWS ? TOO_MANY_ROWS : rows.length - this.#rows;
  }

  /** Whether the first character that is not a space may begin a listing. */
  #begins(): boolean {
    const first = /\S/.exec(this.#frame)?.[0];
    this.#hasBegun = first !== undefined;
    return first === undefined || first === "[" || first === "{";
  }

  #take(bytes: Uint8Array): void {
    if (this.#row === null) {
      this.#frame += this.#decoder.decode(bytes, { stream: true });
      return;
    }
    this.#rowBytes += bytes.length;
    if (this.#rowBytes > MAX_ROW_BYTES) this.#row = [];
    else this.#row.push(bytes);
  }

  /**
   * Handles an array that begins at depth 0 or 1. It contains the rows if it is the listing itself, or its member
   * `data`.
   */
  #startArray(depth: number): void {
    if (this.#isInRows) return;
    if (depth === 1) {
      this.#arrays += 1;
      this.#isValid = this.#arrays <= MAX_MEMBERS;
      if (!this.#isValid) return;
      const member = parseJson(`{${this.#frame.slice(this.#memberAt)}0}`);
      if (!isRecord(member) || !("data" in member)) return;
      const before = parseJson(`${this.#frame}[]}`);
      this.#date = isRecord(before) ? before["as_of"] : undefined;
    }
    // A second list of rows is refused, because the rows of the first were already taken.
    this.#isValid = this.#rowsDepth === null;
    this.#rowsDepth = depth + 1;
    this.#isInRows = true;
    this.#parts.onDate(this.#date);
  }

  #endRow(bytes: readonly Uint8Array[]): void {
    const isTooLong = this.#rowBytes > MAX_ROW_BYTES;
    this.#row = null;
    this.#rowBytes = 0;
    this.#rows += 1;
    this.#frame += "0";
    this.#isValid = this.#rows <= MAX_ROWS;
    if (!this.#isValid) return;
    const text = textOf(bytes);
    const row = isTooLong ? undefined : parseJson(text);
    if (row !== undefined) this.#parts.onRow(row);
    else this.#parts.onUnread(isTooLong ? "the row is too long" : "the row is not JSON", text);
  }
}

function textOf(bytes: readonly Uint8Array[]): string {
  const [only] = bytes;
  const decoder = new TextDecoder();
  if (only !== undefined && bytes.length === 1) return decoder.decode(only);
  return bytes.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
}
