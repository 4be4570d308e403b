import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { RowSplitter } from "../../../src/rates/row-splitter.ts";

interface Read {
  readonly isListing: boolean;
  readonly date: unknown;
  /** Rows that are neither object nor array, which are only counted. */
  readonly others: number | null;
  readonly rows: readonly unknown[];
}

/** Reads bytes that arrive split at these offsets. */
function read(bytes: Uint8Array, cuts: readonly number[] = []): Read {
  const rows: unknown[] = [];
  let date: unknown;
  const splitter = new RowSplitter({
    onDate: (found) => {
      date = found;
    },
    onRow: (row) => void rows.push(row),
    onUnread: (reason, text) => void rows.push([reason, text]),
  });
  const ends = [...cuts.filter((cut) => cut > 0 && cut < bytes.length).sort((a, b) => a - b), bytes.length];
  ends.every((end, index) => splitter.push(bytes.subarray(index === 0 ? 0 : ends[index - 1], end)));
  const others = splitter.end();
  const isListing = typeof others === "number";
  return { isListing, date, others: isListing ? others : null, rows };
}

const bytesOf = (text: string) => new TextEncoder().encode(text);
const AWKWARD =
  '{"note":{"data":[1,"]}"]},"as_of":"2026-01-01T00:00:00Z","d\\u0061ta":[{"a":"\\"}],\\\\","é":[{"b":"🜁"}]},-1.5e3 ,null,"x\\\\"],"end":[[]] }';

describe("a listing", () => {
  test("is the same for any split into chunks", () => {
    const bytes = bytesOf(AWKWARD);
    const whole = read(bytes);
    expect(whole).toEqual({
      isListing: true,
      date: "2026-01-01T00:00:00Z",
      others: 3,
      rows: [{ a: '"}],\\', é: [{ b: "🜁" }] }],
    });
    // Compared as text, because comparing tens of thousands of objects is slow.
    const text = JSON.stringify(whole);
    const cuts = Array.from(bytes, (_byte, first) =>
      Array.from(bytes.subarray(first), (_other, more) => [first, first + more]),
    ).flat();
    expect(cuts.filter((pair) => JSON.stringify(read(bytes, pair)) !== text)).toEqual([]);
    expect(read(bytes, [...bytes.keys()])).toEqual(whole);
  });

  test("may have other members, even of one byte", () => {
    expect(read(bytesOf('{"n":1,"data":[[2]],"m":3}'))).toEqual({ isListing: true, others: 0, rows: [[2]] });
  });

  /** Reads a text in small chunks, and counts how often bytes were taken from it. */
  function work(text: string) {
    const decode = vi.spyOn(TextDecoder.prototype, "decode");
    const bytes = bytesOf(text);
    const result = read(
      bytes,
      Array.from({ length: Math.floor(bytes.length / 1_000) }, (_none, index) => index * 1_000),
    );
    const takes = decode.mock.calls.length;
    decode.mockRestore();
    return { ...result, takes };
  }

  test("with tens of thousands of members is refused at the 65th", () => {
    const members = (count: number): string =>
      Array.from({ length: count }, (_none, index) => `"k${index}":[],`).join("");
    expect(work(`{${members(63)}"data":[{"a":1}]}`)).toMatchObject({ isListing: true, rows: [{ a: 1 }] });
    const many = work(`{${members(40_000)}"data":[{"a":1}]}`);
    expect(many).toMatchObject({ isListing: false, rows: [] });
    expect(many.takes).toBeLessThan(200);
    expect(work(`{"data":[{"a":1}],${members(40_000)}"z":0}`)).toMatchObject({ isListing: false });
  });

  test("with tens of thousands of arrays in one member is refused at the 65th", () => {
    const broken = work(`{"k":${"[]".repeat(40_000)}`);
    expect(broken.isListing).toBe(false);
    expect(broken.takes).toBeLessThan(200);
  });

  test("of twice the rows takes twice the work", () => {
    const rows = (count: number) => work(`{"data":[${Array.from({ length: count }, () => '{"a":[{"b":1}]}').join()}]}`);
    const [some, twice] = [rows(2_000), rows(4_000)];
    expect([some.rows.length, twice.rows.length]).toEqual([2_000, 4_000]);
    expect(twice.takes / some.takes).toBeLessThan(2.1);
  });

  test("property: every JSON listing is read as by JSON.parse, for any spacing and split", () => {
    // Not `unit: "binary"`, which makes a table of all characters first.
    const code = fc.oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }));
    const name = fc
      .oneof(fc.string({ unit: code.map((point) => String.fromCodePoint(point)) }), fc.constant("note"))
      .filter((key) => key !== "data" && key !== "as_of");
    const others = fc.dictionary(name, fc.jsonValue(), { maxKeys: 3 });
    const listing = fc.oneof(
      fc.array(fc.jsonValue()),
      fc
        .tuple(others, fc.array(fc.jsonValue()), others)
        .map(([before, data, after]) => ({ ...before, as_of: 7, data, ...after })),
    );
    const indent = fc.constantFrom("", "\n\t", "  ");
    fc.assert(
      fc.property(
        listing,
        indent,
        fc.boolean(),
        fc.array(fc.nat(400), { maxLength: 20 }),
        (value, space, hasMark, cuts) => {
          const text = JSON.stringify(value, null, space);
          const expected: unknown = JSON.parse(text);
          const all = Array.isArray(expected) ? expected : (expected as { data: unknown[] }).data;
          const rows = all.filter((row) => typeof row === "object" && row !== null);
          const date = Array.isArray(expected) ? undefined : 7;
          const found = read(bytesOf((hasMark ? "\ufeff" : "") + text), cuts);
          expect(found).toEqual({ isListing: true, date, others: all.length - rows.length, rows });
        },
      ),
      { numRuns: 500 },
    );
  });

  test("property: truncated anywhere, it is not a listing", () => {
    const bytes = bytesOf(AWKWARD.trimEnd());
    for (let length = 0; length < bytes.length; length += 1)
      expect(read(bytes.subarray(0, length)).isListing).toBe(false);
  });
});

describe("no listing", () => {
  test.each([
    ["an empty text", ""],
    ["null", "null"],
    ["a string", '"data"'],
    ["an object without rows", '{"message":"no"}'],
    ["rows that are not an array", '{"data":{"a":1}}'],
    ["nested rows", '{"x":{"data":[1]}}'],
    ["two lists of rows", '{"data":[1],"data":[2]}'],
    ["a date after the rows that it applies to", '{"data":[1],"as_of":"2026-01-01T00:00:00Z"}'],
    ["a row that is not JSON", "[NaN]"],
    ["a missing comma", "[{} {}]"],
    ["a trailing comma", "[1,]"],
    ["a comma before the first", "[,1]"],
    ["a member without a value", '{"x":,"data":[]}'],
    ["a key without quotes", "{data:[]}"],
    ["a comma before the end", '{"data":[],}'],
    ["more text after it", "[] []"],
    ["HTML", "<html>"],
  ])("is %s", (_what, text) => {
    expect(read(bytesOf(text)).isListing).toBe(false);
    expect(
      read(
        bytesOf(text),
        [...text].map((_, index) => index),
      ).isListing,
    ).toBe(false);
  });

  test("is a frame of more than a million characters", () => {
    const frame = (length: number) => bytesOf(`{"padding":"${"x".repeat(length)}","data":[{}]}`);
    expect([read(frame(1_000_000)).isListing, read(frame(1_100_000)).isListing]).toEqual([true, false]);
  });

  test.each(["<html>", "\ufeff null"])("is not read further: %j", (text) => {
    const splitter = new RowSplitter({ onDate: () => undefined, onRow: () => undefined, onUnread: () => undefined });
    expect(splitter.push(bytesOf(text))).toBe(false);
  });
});

describe("a row that is not JSON", () => {
  test.each([
    ["has a NaN", '{"a":NaN}'],
    ["ends with a comma", '{"a":[1,]}'],
    ["has a line break in a text", '["\n"]'],
    ["has no quotes", "{a:{b:[1]}}"],
  ])("is passed on as its text, and later rows are read: one that %s", (_what, row) => {
    const bytes = bytesOf(`{"data":[[1],${row},[2]]}`);
    const expected = { isListing: true, others: 0, rows: [[1], ["the row is not JSON", row], [2]] };
    expect(read(bytes)).toEqual(expected);
    expect(read(bytes, [...bytes.keys()])).toEqual(expected);
  });

  test.each([
    ["a text that does not end", '[{"a":"},{"b":1}]'],
    ["an array that does not end", '[{"a":[1},{"b":1}]'],
    ["a brace too many", '[{"a":1}},{"b":1}]'],
  ])("is no row where it has %s: the answer is no listing", (_what, text) => {
    expect(read(bytesOf(text)).isListing).toBe(false);
  });
});

describe("a row above the maximum length", () => {
  test("is skipped, and later rows are read", () => {
    const long = JSON.stringify({ padding: "x".repeat(70_000) });
    const bytes = bytesOf(`[[1],${long},[2]]`);
    expect(read(bytes)).toEqual({ isListing: true, others: 0, rows: [[1], ["the row is too long", ""], [2]] });
    expect(read(bytes, [10, 40_000, 66_000, 70_005])).toEqual(read(bytes));
  });
});
