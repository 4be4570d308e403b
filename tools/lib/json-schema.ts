import type { ErrorObject, Format, ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parseDay } from "../../src/base/utc.ts";

/** An error and its place in a file: `buckets[0].allocation`; "" is the whole file. */
export interface ShapeError {
  readonly path: string;
  readonly message: string;
}

/** What passes is what our own code then reads. */
const FORMATS: Readonly<Record<string, Format>> = {
  date: (text: string) => parseDay(text) !== undefined,
  uri: (text: string) => URL.canParse(text),
};

/** A JSON Schema as the function that lists a value's errors. Cast by callers: what has none is a T by its schema. */
export function shapeOf(schema: object): (value: unknown) => readonly ShapeError[] {
  let validate: ValidateFunction | undefined;
  return (value) => {
    // When it is first needed: most starts of a tool read no such file.
    validate ??= new Ajv2020(OPTIONS).compile(schema);
    return shapeErrors(validate, value);
  };
}

const OPTIONS = { allErrors: true, verbose: true, strictTypes: false, formats: FORMATS };

/** One error for each place: a value of the wrong type breaks the other rules of its place, too. */
function shapeErrors(validate: ValidateFunction, value: unknown): readonly ShapeError[] {
  if (validate(value)) return [];
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== "if").map(errorOf);
  const found = new Map(errors.map(({ path, message }) => [path, message]));
  return [...found].map(([path, message]) => ({ path, message }));
}

function errorOf(error: ErrorObject): ShapeError {
  const { keyword, instancePath, params, schema, parentSchema = {}, data, message } = error;
  const path = placeOf(instancePath);
  switch (keyword) {
    case "required":
      return { path: below(path, params["missingProperty"]), message: "missing" };
    case "additionalProperties": {
      const known = Object.keys(parentSchema["properties"] ?? {}).join(", ");
      return { path: below(path, params["additionalProperty"]), message: `unknown key; known here: ${known}` };
    }
    case "not":
      // Ours name what they exclude.
      return { path, message: `must not be ${(schema as { readonly title: string }).title}` };
    case "minItems":
      return { path, message: `must have at least ${params["limit"]}` };
    default: {
      const words = expected(parentSchema, keyword);
      return { path, message: words === undefined ? `${message}` : `must be ${words}, not ${preview(data)}` };
    }
  }
}

const TYPES: Readonly<Record<string, string>> = {
  object: "an object",
  array: "a list",
  boolean: "true or false",
  string: "a text",
};

/** A schema in words: its title, or what follows from the rule; undefined: the validator's own words. */
function expected(schema: Readonly<Record<string, unknown>>, keyword: string): string | undefined {
  const { title, enum: values, const: value, type, minimum, maximum } = schema;
  if (typeof title === "string") return title;
  if (type === "integer") return `a whole number from ${minimum} to ${maximum}`;
  if (keyword === "enum" && Array.isArray(values)) return `one of ${values.join(", ")}`;
  if (keyword === "const") return String(value);
  return keyword === "type" ? (TYPES[String(type)] ?? String(type)) : undefined;
}

/** The value as written in the file; numbers are labeled, because in a message a quoted number looks the same. */
function preview(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value) ?? "nothing";
  return (typeof value === "number" ? "the number " : "") + (text.length > 60 ? `${text.slice(0, 60)}...` : text);
}

/** A JSON pointer, `/links/0/url`, as `links[0].url`. */
function placeOf(pointer: string): string {
  const names = pointer.split("/").slice(1);
  return names.reduce((path, name) => {
    const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
    return /^\d+$/.test(key) ? `${path}[${key}]` : below(path, key);
  }, "");
}

function below(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
