import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Json = Record<string, unknown>;

/** Parts of a response that a document describes. */
export interface Answered {
  readonly status: number;
  readonly field: (name: string) => string | null;
  readonly text: string;
}

/**
 * Lists the differences between a response and its operation in an OpenAPI 3.1 document; none for a documented
 * response. Its status must be documented or fall under `default`. Required headers must be present, documented headers
 * and the body must have the right shape. A media type that is not listed is a fault. HEAD is checked as GET.
 */
export function undocumented(document: unknown, method: string, path: string, answered: Answered): string[] {
  const root = asObject(document);
  const where = `${method} ${path} -> ${answered.status}`;
  const responses = follow(root, ["paths", path, method === "HEAD" ? "get" : method.toLowerCase(), "responses"]);
  if (responses === undefined) return [`${where}: the operation is not in the document`];
  const found = asObject(responses)[String(answered.status)] ?? asObject(responses)["default"];
  if (found === undefined) return [`${where} is not documented`];
  const described = resolve(root, asObject(found));
  return [
    ...headerFaults(root, asObject(described["headers"] ?? {}), answered, where),
    ...bodyFaults(root, asObject(described["content"] ?? {}), answered, method, where),
  ];
}

/** Lists the headers of a response that its operation does not list, by their lower-case names. */
export function undocumentedHeaders(
  document: unknown,
  path: string,
  status: number,
  names: Iterable<string>,
): string[] {
  const root = asObject(document);
  const found = follow(root, ["paths", path, "get", "responses", String(status), "headers"]);
  // The media type is described by `content`.
  const listed = ["content-type", ...Object.keys(asObject(found)).map((name) => name.toLowerCase())];
  return [...names].filter((name) => !listed.includes(name)).map((name) => `${path} -> ${status}: ${name}`);
}

function headerFaults(root: Json, headers: Json, { field }: Answered, where: string): string[] {
  return Object.entries(headers).flatMap(([name, reference]) => {
    const header = resolve(root, asObject(reference));
    const value = field(name);
    if (value === null) return header["required"] === true ? [`${where}: ${name} is missing`] : [];
    const { type } = resolve(root, asObject(header["schema"]));
    const typed = type === "integer" || type === "number" ? Number(value) : value;
    return shapeFaults(root, header["schema"], typed, `${where}: ${name}: ${value}`);
  });
}

function bodyFaults(root: Json, content: Json, { field, text }: Answered, method: string, where: string): string[] {
  if (method === "HEAD" || Object.keys(content).length === 0) return text === "" ? [] : [`${where} has a body`];
  const type = (field("Content-Type") ?? "").split(";")[0]?.trim() ?? "";
  if (!(type in content)) return [`${where}: ${type} is not among ${Object.keys(content).join(", ")}`];
  const schema = asObject(content[type])["schema"];
  if (schema === undefined) return [];
  if (!/[/+]json$/.test(type)) return shapeFaults(root, schema, text, where);
  try {
    return shapeFaults(root, schema, JSON.parse(text), where);
  } catch {
    return [`${where}: the body is not JSON: ${text.slice(0, 100)}`];
  }
}

const validators = new WeakMap<object, Map<string, ValidateFunction>>();

function shapeFaults(root: Json, schema: unknown, value: unknown, where: string): string[] {
  const known = validators.get(root) ?? new Map<string, ValidateFunction>();
  validators.set(root, known);
  const key = JSON.stringify(schema);
  const validate = known.get(key) ?? compile(root, schema);
  known.set(key, validate);
  if (validate(value)) return [];
  const seen = JSON.stringify(value)?.slice(0, 300);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${where}: ${instancePath} ${message}: ${seen}`);
}

function compile(root: Json, schema: unknown): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  return ajv.compile({ ...asObject(schema), components: root["components"] });
}

function resolve(root: Json, value: Json): Json {
  const reference = value["$ref"];
  if (typeof reference !== "string") return value;
  const path = reference.replace(/^#\//, "").split("/").map(unescapePointer);
  return resolve(root, asObject(follow(root, path)));
}

function unescapePointer(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}

function follow(root: Json, path: readonly string[]): unknown {
  let at: unknown = root;
  for (const part of path) at = at === undefined ? undefined : resolve(root, asObject(at))[part];
  return at;
}

function asObject(value: unknown): Json {
  if (typeof value !== "object" || value === null) throw new TypeError("the document is not as OpenAPI has it");
  return value as Json; // an object, as checked above
}
