import { isRecord, parseJson } from "../base/json.ts";

/** A larger row is skipped: the largest known has some 4 KB. */
const MAX_ROW_BYTES = 65_536;
/** The largest public listing has some 20,000. Rows cost more than bytes: with both bounds a reading takes a second. */
const MAX_ROWS = 50_000;
/** More members than any row has, and more arrays than a listing has beside its rows: each costs a copy of the frame. */
export const MAX_MEMBERS = 64;
/** The maximum length of the frame: the listing without its rows, with a digit and a comma for each of them. */
const MAX_FRAME_CHARACTERS = 1_048_576;

/** The `status` of a listing whose rows are not to be trusted, whatever they are. */
const FAILED = /^(error|fail)/i;
const NO_LISTING = "the answer is not a listing";
const TOO_MANY_ROWS = `the listing has more than ${MAX_ROWS} rows`;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The parts of a listing: its date, then its rows, each a JSON object or array. */
export interface ListingParts {
  /** Called when the rows begin; undefined without a date. */
  readonly onDate: (date: unknown) => void;
  readonly onRow: (row: unknown) => void;
  /** A row that is lost: why, and its text where it was kept. */
  readonly onUnread: (reason: string, text: string) => void;
}

/**
 * Reads `{ "as_of": date, "data": [row, ...] }` or `[row, ...]` while it arrives, in chunks of any size, and
 * buffers one row and the frame: the listing with a 0 in the place of each row. `JSON.parse` reads
 * each row when it is complete, and the frame at the end. A row that it refuses is lost alone.
 */
export class RowSplitter {
  readonly #parts: ListingParts;
  readonly #decoder = new TextDecoder();
  #frame = "";
  /** Where the frame's newest member begins, and how many arrays began in members. */
  #memberAt = 0;
  #arrays = 0;
  #row: Uint8Array[] | null = null;
  #rowBytes = 0;
  #rows = 0;
  /** Nesting inside the rows' array: 1, or 2 where an object contains it; null before it. */
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

  /** False as soon as the text cannot be a listing: there is no use in reading on. */
  push(chunk: Uint8Array): boolean {
    let [depth, isText, isEscaped] = [this.#depth, this.#isText, this.#isEscaped];
    let from = 0;
    const takeUntil = (end: number): void => {
      this.#take(chunk.subarray(from, end));
      from = end;
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

  /** The number of rows that are neither object nor array, when all of it was one listing; else why it was not. */
  end(): number | string {
    if (this.#rows > MAX_ROWS) return TOO_MANY_ROWS;
    const frame = parseJson(this.#frame + this.#decoder.decode());
    if (!this.#isValid || this.#row !== null || this.#rowsDepth === null) return NO_LISTING;
    if (Array.isArray(frame)) return this.#othersOf(frame);
    // A date after the rows comes too late: they have been dated already.
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

  /** An array that begins at nesting 0 or 1 contains the rows if it is the listing, or its member `data`. */
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
    // With two lists of rows, the first one would be published with the second.
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
