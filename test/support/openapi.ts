import { expect } from "vitest";
import { exampleUrl, type OpenApi, operationsOf } from "../../page/build/openapi.ts";
import { undocumented } from "./documented.ts";

/**
 * Checks a response against an operation of an OpenAPI 3.1 document with {@link undocumented}. Returns the body's
 * text.
 */
export async function expectDocumented(
  document: unknown,
  method: string,
  path: string,
  response: Response,
): Promise<string> {
  const text = await response.text();
  const field = (name: string): string | null => response.headers.get(name);
  expect(undocumented(document, method, path, { status: response.status, field, text })).toEqual([]);
  return text;
}

/** Fills a documented path with the examples of its parameters. */
export function exampleOf(json: unknown, path: string): string {
  const document = json as OpenApi; // the linter validates it
  const at = operationsOf(document).find((operation) => operation.path === path);
  return at === undefined ? path : exampleUrl(document, at);
}
