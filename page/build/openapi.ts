/** Parts of an OpenAPI 3.1 document that a reference page uses. The documents are linted before the build. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly description: string; readonly contact?: object };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Node>>>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Node[];
  readonly requestBody?: Node;
  readonly responses: Readonly<Record<string, Node>>;
}

/** Object of the document: a parameter, a response, a schema, or a reference to one. */
export interface Node {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean | readonly string[];
  readonly description?: string;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
  readonly schema?: Node;
  readonly content?: Readonly<Record<string, Node>>;
  readonly headers?: Readonly<Record<string, Node>>;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly oneOf?: readonly Node[];
  readonly anyOf?: readonly Node[];
  readonly allOf?: readonly Node[];
  readonly default?: unknown;
}

/** Operation with its place in the document. */
export interface OperationAt {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const METHODS = ["get", "post"];

export function operationsOf(document: OpenApi): OperationAt[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ method, path, operation }];
    }),
  );
}

/** Returns the target of a reference, or the object itself. */
export function resolve(document: OpenApi, node: Node): Node {
  const match = /^#\/components\/([^/]+)\/([^/]+)$/.exec(node.$ref ?? "");
  if (match === null) return node;
  const found = document.components[match[1] ?? ""]?.[match[2] ?? ""];
  if (found === undefined) throw new Error(`${node.$ref} is not in the document`);
  return resolve(document, found);
}

/** Parameter as a caller sends it. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: Node;
  /** Example in the document as text; undefined without one. */
  readonly example: string | undefined;
}

export function parametersOf(document: OpenApi, operation: Operation): Parameter[] {
  return (operation.parameters ?? []).map((each) => {
    const {
      name = "",
      in: place = "",
      required,
      description = "",
      schema = {},
      example,
      examples,
    } = resolve(document, each);
    const first = example ?? Object.values(examples ?? {})[0]?.value ?? resolve(document, schema).example;
    return {
      name,
      in: place,
      required: required === true,
      description,
      schema,
      example: first === undefined ? undefined : String(first),
    };
  });
}

/** Returns the JSON request body's example as text; undefined when the operation has none. */
export function bodyExample(document: OpenApi, operation: Operation): string | undefined {
  if (operation.requestBody === undefined) return undefined;
  const media = resolve(document, operation.requestBody).content?.["application/json"];
  if (media === undefined) return undefined;
  const value = media.example ?? Object.values(media.examples ?? {})[0]?.value;
  return value === undefined ? undefined : JSON.stringify(value, null, 2);
}

/** Returns the Accept header that an operation requires; undefined when its response is always JSON. */
export function acceptOf(document: OpenApi, { responses }: Operation): string | undefined {
  const types = Object.keys(resolve(document, responses["200"] ?? {}).content ?? {});
  return types.length === 0 || types.includes("application/json") ? undefined : types[0];
}

/** Makes the path and query of a request with the documented examples of all required parameters and the named ones. */
export function exampleUrl(
  document: OpenApi,
  { path, operation }: OperationAt,
  optional: readonly string[] = [],
): string {
  const parameters = parametersOf(document, operation);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters.find((one) => one.name === name)?.example;
    if (value === undefined) throw new Error(`${path}: the parameter ${name} has no example`);
    return encodeURIComponent(value);
  });
  const query = parameters
    .filter(({ name, in: place, required }) => place === "query" && (required || optional.includes(name)))
    .map(({ name, example }) => `${name}=${encodeURIComponent(example ?? "")}`);
  return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
}

/** Describes a schema's type: `string`, `integer or null`, `array of Row`, `"a" or "b"`. */
export function typeText(document: OpenApi, node: Node): string {
  const name = node.$ref?.split("/").at(-1);
  const schema = resolve(document, node);
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (values !== undefined)
    return values.map((value) => (value === null ? "null" : `\`${String(value)}\``)).join(" or ");
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return [...new Set(choices.map((one) => typeText(document, one)))].join(" or ");
  if (schema.type === "array") return `array of ${typeText(document, schema.items ?? {})}`;
  const types = typeof schema.type === "string" ? schema.type : (schema.type ?? ["any"]).join(" or ");
  if (name !== undefined && types === "object") return `[${name}](#${anchor(name)})`;
  return schema.format === undefined ? types : `${types} (${schema.format})`;
}

export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
