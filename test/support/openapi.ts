import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";

type Json = Record<string, unknown>;

/**
 * Holds one answer against an operation of an OpenAPI 3.1 document: its status must be documented (or fall under
 * `default`), every required header present, every documented header and the body of the right shape. Only what is
 * documented passes: a media type that the operation does not list fails. Returns the body's text.
 */
export async function expectDocumented(
  document: unknown,
  method: string,
  path: string,
  response: Response,
): Promise<string> {
  const root = asObject(document);
  const where = `${method} ${path} -> ${response.status}`;
  const responses = asObject(follow(root, ["paths", path, documentedMethod(method), "responses"], where));
  const found = responses[String(response.status)] ?? responses["default"];
  expect(found, `${where} is not documented`).toBeDefined();
  const described = resolve(root, asObject(found));
  checkHeaders(root, asObject(described["headers"] ?? {}), response, where);
  const text = await response.text();
  checkBody(root, asObject(described["content"] ?? {}), response, { text, where, method });
  return text;
}

function checkHeaders(root: Json, headers: Json, response: Response, where: string): void {
  for (const [name, reference] of Object.entries(headers)) {
    const header = resolve(root, asObject(reference));
    const value = response.headers.get(name);
    if (value === null) {
      expect(header["required"] === true, `${where}: ${name} is missing`).toBe(false);
      continue;
    }
    const schema = resolve(root, asObject(header["schema"]));
    const typed = schema["type"] === "integer" || schema["type"] === "number" ? Number(value) : value;
    check(root, header["schema"], typed, `${where}: ${name}: ${value}`);
  }
}

interface Body {
  readonly text: string;
  readonly where: string;
  readonly method: string;
}

function checkBody(root: Json, content: Json, response: Response, { text, where, method }: Body): void {
  if (method === "HEAD" || Object.keys(content).length === 0) {
    expect(text, `${where} has a body`).toBe("");
    return;
  }
  const type = (response.headers.get("Content-Type") ?? "").split(";")[0]?.trim() ?? "";
  expect(Object.keys(content), where).toContain(type);
  const schema = asObject(content[type])["schema"];
  if (schema === undefined) return;
  check(root, schema, /[/+]json$/.test(type) ? JSON.parse(text) : text, where);
}

const validators = new WeakMap<object, Map<string, ValidateFunction>>();

function check(root: Json, schema: unknown, value: unknown, where: string): void {
  const known = validators.get(root) ?? new Map<string, ValidateFunction>();
  validators.set(root, known);
  const key = JSON.stringify(schema);
  const validate = known.get(key) ?? compile(root, schema);
  known.set(key, validate);
  const sound = validate(value);
  expect(sound ? [] : validate.errors, `${where}: ${JSON.stringify(value)?.slice(0, 300)}`).toEqual([]);
}

function compile(root: Json, schema: unknown): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  return ajv.compile({ ...asObject(schema), components: root["components"] });
}

function documentedMethod(method: string): string {
  return method === "HEAD" ? "get" : method.toLowerCase();
}

function resolve(root: Json, value: Json): Json {
  const reference = value["$ref"];
  if (typeof reference !== "string") return value;
  return resolve(
    root,
    asObject(follow(root, reference.replace(/^#\//, "").split("/").map(unescapePointer), reference)),
  );
}

function unescapePointer(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}

function follow(root: Json, path: readonly string[], where: string): unknown {
  let at: unknown = root;
  for (const part of path) {
    at = resolve(root, asObject(at))[part];
    expect(at, `${where}: ${path.join(" > ")} is not in the document`).toBeDefined();
  }
  return at;
}

function asObject(value: unknown): Json {
  expect(typeof value === "object" && value !== null).toBe(true);
  return value as Json; // an object, as just expected
}
