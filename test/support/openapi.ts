import { expect } from "vitest";
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
