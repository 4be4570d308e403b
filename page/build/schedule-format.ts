import { table } from "./reference.ts";

/** Keywords of JSON Schema that `schedule/schema.json` uses. */
export interface FormatSchema {
  readonly $ref?: string;
  readonly anyOf?: readonly FormatSchema[];
  readonly $defs?: Readonly<Record<string, FormatSchema>>;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, FormatSchema | false>>;
  readonly required?: readonly string[];
  readonly items?: FormatSchema;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

const PLAIN_TYPES: Readonly<Record<string, string>> = {
  amount: "decimal string, tokens",
  day: "`YYYY-MM-DD`",
  month: "`YYYY-MM`",
  url: "URL",
  line: "text",
  lock_view: "signature",
  circulating_view: "signature",
  bucket: "bucket",
  chain: "chain",
  phase: "phase",
};

/**
 * Describes the members of a schedule file in Markdown, with a table each for the file, its lists, and the kinds of
 * phases.
 */
export function scheduleFormatMarkdown(schema: FormatSchema): string {
  const { properties = {}, $defs: definitions = {} } = schema;
  const [bucket, chain] = ["bucket", "chain"].map((name) => definitions[name] ?? missing(`$defs.${name}`)) as [
    FormatSchema,
    FormatSchema,
  ];
  const listed = (name: string, owner: FormatSchema = schema): FormatSchema => {
    const list = owner.properties?.[name];
    return (typeof list === "object" ? (list.items ?? list) : undefined) ?? missing(name);
  };
  return [
    "## The file",
    members(schema, Object.keys(properties)),
    "### In `token`",
    members(listed("token")),
    "### In `sources`",
    members(listed("sources")),
    "## A bucket",
    members(bucket),
    "### In `addresses`",
    members(listed("addresses", bucket)),
    "## A chain",
    members(chain),
    "### In `escrow`",
    members(listed("escrow", chain)),
    "### In `circulating_view`",
    members(listed("circulating_view", chain)),
    "## In `wallets`",
    members(listed("wallets")),
    "## In `constants`",
    members(listed("constants")),
    "## In `share_prices`",
    members(listed("share_prices")),
    "### In `asset`",
    members(listed("asset", listed("share_prices"))),
    "## Phases",
    phases(["cliff", "monthly", "daily", "linear", "never"].map((name) => definitions[name] ?? missing(name))),
    "## In `adjustments`",
    members(listed("adjustments")),
    "## In `table`",
    members(listed("table")),
  ].join("\n\n");
}

function members(schema: FormatSchema, names = Object.keys(schema.properties ?? {})): string {
  const rows = names.map((name) => {
    const member = schema.properties?.[name];
    if (typeof member !== "object" || member.description === undefined) return missing(`description of ${name}`);
    return [
      `\`${name}\`${schema.required?.includes(name) ? "" : " (optional)"}`,
      formOf(member),
      member.description.replaceAll("|", "\\|"),
    ];
  });
  return table(["Member", "Form", "Meaning"], rows);
}

function phases(kinds: readonly FormatSchema[]): string {
  const rows = kinds.map(({ properties = {}, description = "" }) => {
    const { kind, ...others } = properties;
    const named = Object.entries(others).map(([name, member]) =>
      typeof member === "object" ? `\`${name}\`: ${formOf(member)}` : missing(name),
    );
    return [`\`${(typeof kind === "object" ? kind.const : undefined) ?? ""}\``, named.join("<br>"), description];
  });
  return table(["`kind`", "Members", "Meaning"], rows);
}

function formOf({ $ref, anyOf, enum: values, type, items, minimum, maximum }: FormatSchema): string {
  if (anyOf !== undefined) return anyOf.map(formOf).join(" or ");
  if ($ref !== undefined) return PLAIN_TYPES[$ref.replace("#/$defs/", "")] ?? missing($ref);
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(", ");
  if (type === "array") return items?.$ref === undefined ? "list" : `list of ${formOf(items)}s`;
  if (type === "integer") return `integer, ${minimum} to ${maximum}`;
  if (type === "null") return "`null`";
  return type === "boolean" ? "`true` or `false`" : type === "string" ? "text" : (type ?? missing("type"));
}

function missing(what: string): never {
  throw new Error(`schedule/schema.json: ${what} is missing`);
}
