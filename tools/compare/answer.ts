import { isRecord, parseJson } from "../../src/base/json.ts";

/** Figure as it stands in an answer. */
export interface WrittenFigure {
  /** Place in the body, such as `data.total`; "" is the whole body. */
  readonly member: string;
  /** Digits as they stand. */
  readonly text: string;
  /** JSON number or plain digits, or a string of JSON. */
  readonly notation: "number" | "string";
}

/** Answer of one side, with its figures. */
export interface Answer {
  /** Status; 0: no answer, for the reason in `body`. */
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly figures: readonly WrittenFigure[];
}

const DIGITS = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
/** A string of JSON, or a number outside of one. */
const TOKEN = /("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)/g;
/** Stands for a bare number among the figures of a body: no member has this name. */
const NUMBER = "\u0000";

/** Reads an answer's figures. The body is digits, or JSON in which every member with digits is a figure. */
export function readAnswer(status: number, type: string, body: string): Answer {
  const answer = { status, type: type.split(";", 1)[0]?.trim() ?? "", body };
  const trimmed = body.trim();
  if (DIGITS.test(trimmed)) return { ...answer, figures: [{ member: "", text: trimmed, notation: "number" }] };
  if (parseJson(trimmed) === undefined) return { ...answer, figures: [] };
  // Numbers become objects with their own text, because JSON.parse rounds them.
  const kept = trimmed.replace(TOKEN, (all, string?: string, number?: string) =>
    string === undefined ? `{"\\u0000":"${number}"}` : all,
  );
  return { ...answer, figures: [...figuresIn(parseJson(kept), "")] };
}

function* figuresIn(value: unknown, member: string): Generator<WrittenFigure> {
  if (typeof value === "string" && DIGITS.test(value)) yield { member, text: value, notation: "string" };
  if (Array.isArray(value)) for (const [index, each] of value.entries()) yield* figuresIn(each, `${member}[${index}]`);
  if (!isRecord(value)) return;
  const [only, ...others] = Object.entries(value);
  if (only?.[0] === NUMBER && others.length === 0 && typeof only[1] === "string" && DIGITS.test(only[1])) {
    yield { member, text: only[1], notation: "number" };
    return;
  }
  for (const [name, each] of Object.entries(value)) yield* figuresIn(each, member === "" ? name : `${member}.${name}`);
}
