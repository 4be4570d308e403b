import {
  type AddressBody,
  FORMS,
  figuresOf,
  MEMBER_TYPES,
  type RegisteredAddress,
} from "../../src/addresses/registered-address.ts";
import { JSON_TYPE } from "../../src/chain/media-types.ts";
import type { Node, OpenApi, Operation } from "./openapi.ts";
import { table } from "./reference.ts";

/** Headers that a response with a figure may have, with their components. */
const FIGURE_HEADERS = {
  Age: "Age",
  "Cache-Status": "CacheStatus",
  "X-Ledger-Version": "LedgerVersion",
  Vary: "VersionVary",
} as const;

/** Adds the registered addresses to a document's paths. A path is one operation, whose parameter is an enumeration. */
export function withAddressOperations(
  paths: OpenApi["paths"],
  pattern: Operation | undefined,
  addresses: readonly RegisteredAddress[],
): OpenApi["paths"] {
  if (pattern === undefined) return paths;
  const added = [...Map.groupBy(addresses, ({ path }): string => path)].map(([path, entries], index) => {
    const operation = paths[path]?.["get"];
    return [
      path,
      {
        get:
          operation === undefined ? operationOf(pattern, entries, index) : withRegistered(operation, pattern, entries),
      },
    ];
  });
  return { ...paths, ...Object.fromEntries(added) };
}

/** Makes the operation of a path that the API itself does not have. `pattern` has the responses of every figure. */
function operationOf(pattern: Operation, entries: readonly RegisteredAddress[], index: number): Operation {
  const hasPlain = entries.some(({ query }) => query === null);
  return {
    operationId: `registeredAddress${index + 1}`,
    tags: ["Supply"],
    summary: "Registered address",
    description: `${descriptionOf(entries)} Other parameters and \`Accept\` are ignored.`,
    parameters: [
      { $ref: "#/components/parameters/ApiVersion" },
      ...parameterOf(entries).map((parameter) => ({ ...parameter, required: !hasPlain })),
    ],
    responses: { ...pattern.responses, "200": answerOf(pattern, contentOf(entries)) },
  };
}

/** Adds the registered addresses on an API path to that path's operation. */
function withRegistered(ours: Operation, pattern: Operation, entries: readonly RegisteredAddress[]): Operation {
  const content: Record<string, Node> = { ...ours.responses["200"]?.content };
  for (const [type, { schema = {} }] of Object.entries(contentOf(entries))) {
    const before = content[type];
    content[type] = before === undefined ? { schema } : { ...before, schema: { anyOf: [before.schema ?? {}, schema] } };
  }
  return {
    ...ours,
    description: [ours.description ?? "", descriptionOf(entries)].join(" ").trim(),
    parameters: [
      ...(ours.parameters ?? []),
      ...parameterOf(entries).map((parameter) => ({ ...parameter, required: false })),
    ],
    responses: { ...pattern.responses, ...ours.responses, "200": answerOf(ours, content) },
  };
}

function parameterOf(entries: readonly RegisteredAddress[]): Node[] {
  const queries = entries.flatMap(({ query }) => query ?? []);
  const [first] = queries;
  if (first === undefined) return [];
  return [
    {
      name: first.name,
      in: "query",
      description: "Which figure; any other value is 404, a repeated parameter 400.",
      schema: { type: "string", enum: queries.map(({ value }) => value) },
      example: first.value,
    },
  ];
}

function answerOf({ responses }: Operation, content: Readonly<Record<string, Node>>): Node {
  const { description, headers } = responses["200"] ?? {};
  const figures = Object.entries(FIGURE_HEADERS).map(([name, component]) => {
    return [name, { $ref: `#/components/headers/${component}` }] as const;
  });
  return {
    description: description ?? "The figure.",
    headers: { ...headers, ...Object.fromEntries(figures) },
    content,
  };
}

function contentOf(entries: readonly RegisteredAddress[]): Readonly<Record<string, Node>> {
  const byType = Map.groupBy(entries, ({ body }) => (body.kind === "object" ? JSON_TYPE : FORMS[body.form].type));
  return Object.fromEntries(
    [...byType].map(([type, some]) => {
      const schemas = [
        ...new Map(some.map(({ body }) => schemaOf(body)).map((each) => [JSON.stringify(each), each])).values(),
      ];
      const [only] = schemas;
      const schema: Node = schemas.length === 1 && only !== undefined ? only : { anyOf: schemas };
      return [type.split(";", 1)[0] ?? type, { schema }] as const;
    }),
  );
}

const DIGITS = { type: "string", pattern: "^(0|[1-9][0-9]*)(\\.[0-9]+)?$" };
const NUMBER = { type: "number", minimum: 0 };

function schemaOf(body: AddressBody): Node & { readonly additionalProperties?: boolean } {
  if (body.kind === "figure") {
    if (body.form === "result") return objectOf({ result: DIGITS });
    return FORMS[body.form].isNumber ? NUMBER : DIGITS;
  }
  const members = body.members.map((member) => {
    if ("text" in member) return [member.name, { type: "string", const: member.text }] as const;
    return [member.name, MEMBER_TYPES[member.as].isNumber ? NUMBER : DIGITS] as const;
  });
  return objectOf(Object.fromEntries(members));
}

function objectOf(properties: Readonly<Record<string, Node>>) {
  return { type: "object", required: Object.keys(properties), additionalProperties: false, properties };
}

function descriptionOf(entries: readonly RegisteredAddress[]): string {
  return entries
    .map(({ query, body }) => {
      const what = bodyText(body);
      return query === null ? `Without its parameter: ${what}.` : `\`${queryText(query)}\`: ${what}.`;
    })
    .join(" ");
}

/** Describes a body in a few words. */
function bodyText(body: AddressBody): string {
  if (body.kind === "figure") return `\`${body.figure}\` as ${body.form}`;
  const names = [...new Set(figuresOf(body).map(({ figure }) => figure))];
  return `an object with ${names.map((name) => `\`${name}\``).join(", ")}`;
}

/** Writes the complete address, as a tracker has it. */
function addressOf({ path, query }: RegisteredAddress): string {
  return `https://HOST${path}${query === null ? "" : `?${queryText(query)}`}`;
}

function queryText({ name, value }: NonNullable<RegisteredAddress["query"]>): string {
  return new URLSearchParams([[name, value]]).toString();
}

/** Writes one line of Markdown per address. */
export function addressLines(addresses: readonly RegisteredAddress[]): readonly string[] {
  return addresses.map((entry) => `<${addressOf(entry)}>: ${bodyText(entry.body)}`);
}

/** Writes the manual's section on registered addresses; empty without any. */
export function addressesMarkdown(addresses: readonly RegisteredAddress[]): string {
  if (addresses.length === 0) return "";
  const rows = addresses.map((entry) => [`\`${addressOf(entry)}\``, bodyText(entry.body)]);
  return [
    "## Registered addresses",
    "Trackers that have one of these addresses need no other. Each has one form: other parameters and `Accept` change nothing.",
    table(["Address", "Answer"], rows),
  ].join("\n\n");
}
