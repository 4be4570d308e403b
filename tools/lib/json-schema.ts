import type { ErrorObject, Format, ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parseDay } from "../../src/base/utc.ts";

/** Error with its place in a file: `buckets[0].allocation`; "" is the whole file. */
export interface ShapeError {
  readonly path: string;
  readonly message: string;
}

/** Formats of strings, tested with the functions that later parse them. */
const FORMATS: Readonly<Record<string, Format>> = {
  date: (text: string) => parseDay(text) !== undefined,
  uri: (text: string) => URL.canParse(text),
};

/**
 * Compiles a JSON Schema into a function that lists a value's errors. A caller may cast a value without errors to the
 * schema's type.
 */
export function compileSchema(schema: object): (value: unknown) => readonly ShapeError[] {
  let validate: ValidateFunction | undefined;
  return (value) => {
    // The schema is compiled at its first use: most runs of a tool read no such file.
    validate ??= new Ajv2020(OPTIONS).compile(schema);
    return shapeErrors(validate, value);
  };
}

const OPTIONS = { allErrors: true, verbose: true, strictTypes: false, formats: FORMATS };

/** Returns one error per place: a value of the wrong type violates other rules of its place too. */
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
      // Our schemas give each `not` a title that names what is excluded.
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

/** Describes what a schema expects, by its title or its rule; undefined: the validator's message is used. */
function expected(schema: Readonly<Record<string, unknown>>, keyword: string): string | undefined {
  const { title, enum: values, const: value, type, minimum, maximum } = schema;
  if (typeof title === "string") return title;
  if (type === "integer") return `a whole number from ${minimum} to ${maximum}`;
  if (keyword === "enum" && Array.isArray(values)) return `one of ${values.join(", ")}`;
  if (keyword === "const") return String(value);
  return keyword === "type" ? (TYPES[String(type)] ?? String(type)) : undefined;
}

/** Writes a value as in the file. Numbers are labeled, because in a message a quoted number looks the same. */
function preview(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value) ?? "nothing";
  return (typeof value === "number" ? "the number " : "") + (text.length > 60 ? `${text.slice(0, 60)}...` : text);
}

/** Writes a JSON pointer such as `/links/0/url` as `links[0].url`. */
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
