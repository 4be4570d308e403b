import {
  acceptOf,
  anchor,
  bodyExample,
  exampleUrl,
  type Node,
  type OpenApi,
  type Operation,
  type OperationAt,
  operationsOf,
  parametersOf,
  resolve,
  typeText,
} from "./openapi.ts";

/** Response of the running product to an operation's documented example, recorded by the tests. */
export interface RecordedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export type RecordedAnswers = Readonly<Record<string, RecordedAnswer>>;

/** Writes a reference page in Markdown: all operations by tag, then the shared schemas and headers. */
export function referenceMarkdown(document: OpenApi, answers: RecordedAnswers): string {
  const operations = operationsOf(document);
  const tagOf = ({ operation }: OperationAt): string => operation.tags?.[0] ?? "Service";
  const names = [...new Set([...document.tags.map(({ name }) => name), ...operations.map(tagOf)])];
  const groups = names.flatMap((name) => {
    const some = operations.filter((one) => tagOf(one) === name);
    const about = document.tags.find((tag) => tag.name === name)?.description ?? "";
    return some.length === 0
      ? []
      : [`## ${name}`, about, ...some.map((one) => operationMarkdown(document, one, answers))];
  });
  return [
    `# ${document.info.title}`,
    document.info.description,
    ...groups,
    `## ${SHARED}`,
    sharedMarkdown(document),
    "## Response headers",
    headersTable(document),
    "## Schemas",
    ...Object.entries(document.components["schemas"] ?? {}).map(([name, schema]) =>
      schemaMarkdown(document, name, schema),
    ),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Heading of an operation, which links point to. */
export function operationHeading({ method, path }: OperationAt): string {
  return `${method.toUpperCase()} ${path}`;
}

function operationMarkdown(document: OpenApi, at: OperationAt, answers: RecordedAnswers): string {
  const { operation } = at;
  const answer = answers[operation.operationId];
  return [
    `### ${operationHeading(at)}`,
    operation.summary === undefined ? "" : `**${operation.summary}.** ${operation.description ?? ""}`,
    parametersTable(document, operation, sharedRefs(document)),
    requestMarkdown(document, at),
    answer === undefined
      ? ""
      : `Answer (${answer.status}, \`${answer.contentType}\`):\n\n${fenced(answer.body, languageOf(answer.contentType))}`,
    responsesMarkdown(document, operation),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function parametersTable(document: OpenApi, operation: Operation, shared: ReadonlySet<string>): string {
  const notShared = (operation.parameters ?? []).filter(({ $ref = "" }) => !shared.has($ref));
  const rows = parametersOf(document, { ...operation, parameters: notShared }).map(
    ({ name, in: place, required, description, schema, example }) => [
      `\`${name}\``,
      required ? `${place}, required` : place,
      typeText(document, schema),
      example === undefined ? description : `${description} Example: \`${example}\``,
    ],
  );
  return rows.length === 0 ? "" : table(["Parameter", "In", "Type", "Description"], rows);
}

function requestMarkdown(document: OpenApi, at: OperationAt): string {
  const body = bodyExample(document, at.operation);
  const url = `https://HOST${exampleUrl(document, at)}`;
  const accept = acceptOf(document, at.operation);
  const header = accept === undefined ? "" : `-H "Accept: ${accept}" `;
  const code =
    body === undefined
      ? at.method === "get"
        ? `curl -sSf ${header}"${url}"`
        : `curl -sSf ${header}-X POST "${url}"`
      : `curl -sSf ${header}-H "Content-Type: application/json" -d @- "${url}" <<'END'\n${body}\nEND`;
  return `Request:\n\n${fenced(code, "sh")}`;
}

/** Heading of the section on parameters and responses that most operations share. */
const SHARED = "Parameters and responses of every path";

/** References of parameters and responses that more than half of the operations use: they are described once. */
function sharedRefs(document: OpenApi): ReadonlySet<string> {
  const operations = operationsOf(document);
  const counts = new Map<string, number>();
  for (const { operation } of operations)
    for (const { $ref } of [...(operation.parameters ?? []), ...Object.values(operation.responses)])
      if ($ref !== undefined) counts.set($ref, (counts.get($ref) ?? 0) + 1);
  return new Set([...counts].flatMap(([ref, count]) => (count * 2 > operations.length ? [ref] : [])));
}

function sharedMarkdown(document: OpenApi): string {
  const shared = sharedRefs(document);
  const operations = operationsOf(document).map(({ operation }) => operation);
  const parameters = operations.flatMap((operation) => operation.parameters ?? []);
  const responses = operations.flatMap((operation) => Object.entries(operation.responses));
  const once = new Map(responses.filter(([, { $ref = "" }]) => shared.has($ref)));
  const named = [...new Map(parameters.map((each) => [each.$ref ?? "", each]))].filter(([ref]) => shared.has(ref));
  return [
    parametersTable(document, { responses: {}, operationId: "", parameters: named.map(([, each]) => each) }, new Set()),
    responsesTable(
      document,
      [...once].sort(([one], [other]) => Number(one) - Number(other)),
    ),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Writes the responses that only this operation has, and the statuses of the shared ones. */
function responsesMarkdown(document: OpenApi, { responses }: Operation): string {
  const shared = sharedRefs(document);
  const all = Object.entries(responses);
  const notShared = all.filter(([, { $ref = "" }]) => !shared.has($ref));
  const statuses = all.filter((each) => !notShared.includes(each)).map(([status]) => status);
  const others = statuses.length === 0 ? "" : `Also ${statuses.join(", ")}: [as every path](#${anchor(SHARED)}).`;
  return [responsesTable(document, notShared), others].filter((part) => part !== "").join("\n\n");
}

function responsesTable(document: OpenApi, responses: readonly (readonly [string, Node])[]): string {
  const rows = responses.map(([status, each]) => {
    const response = resolve(document, each);
    const media = Object.entries(response.content ?? {}).map(
      ([type, { schema = {} }]) => `\`${type}\`: ${typeText(document, schema)}`,
    );
    return [status, response.description ?? "", media.join("<br>")];
  });
  return table(["Status", "Meaning", "Body"], rows);
}

function headersTable(document: OpenApi): string {
  const responses = operationsOf(document).flatMap(({ operation }) => Object.values(operation.responses));
  const described = new Map<string, string>();
  for (const each of responses) {
    for (const [name, header] of Object.entries(resolve(document, each).headers ?? {}))
      described.set(name, resolve(document, header).description ?? "");
  }
  return table(
    ["Header", "Meaning"],
    [...described].map(([name, text]) => [`\`${name}\``, text]),
  );
}

function schemaMarkdown(document: OpenApi, name: string, schema: Node): string {
  const required = Array.isArray(schema.required) ? (schema.required as readonly string[]) : [];
  const rows = Object.entries(schema.properties ?? {}).map(([property, each]) => [
    `\`${property}\`${required.includes(property) ? "" : " (optional)"}`,
    typeText(document, each),
    resolve(document, each).description ?? "",
  ]);
  return [
    `### ${name}`,
    schema.description ?? "",
    rows.length > 0 ? table(["Property", "Type", "Description"], rows) : `Type: ${typeText(document, schema)}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("\n", " ").replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function fenced(code: string, language: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

function languageOf(contentType: string): string {
  return contentType.includes("json") ? "json" : "";
}

export { anchor };
