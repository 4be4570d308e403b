import { isRecord, parseJson } from "../../src/base/json.ts";
import { Refusal } from "../lib/command-line.ts";

const REQUEST_MS = 20_000;

/** Requests the rows of a history that a deployment serves; throws a refusal with any other response. */
export async function servedRows(address: string, fetch: typeof globalThis.fetch): Promise<Record<string, unknown>[]> {
  const response = await fetch(address, { signal: AbortSignal.timeout(REQUEST_MS) });
  const body = parseJson(await response.text());
  if (!response.ok || !isRecord(body)) throw new Refusal([`${address} answers ${response.status}`]);
  return Array.isArray(body["data"]) ? body["data"].filter(isRecord) : [];
}
