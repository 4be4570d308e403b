import document from "../../openapi/node.json" with { type: "json" };

/** The node interface's OpenAPI document, as data. */
export const specification: unknown = document;
