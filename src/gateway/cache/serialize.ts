import { LEDGER_FIELDS, ledgerOf } from "../../chain/ledger-headers.ts";
import { isRecord, parseJson } from "../../json.ts";
import type { CachedResponse, Retention } from "../node-types.ts";
import type { Ledger } from "../tip/ledger-headers.ts";

/** How a response is stored in a cache or table: the body apart, everything else as one line of JSON. */
export interface SerializedResponse {
  readonly head: string;
  readonly body: Uint8Array;
}

/** Raised whenever the meaning of the line changes, so that older entries are ignored. */
const FORMAT_VERSION = 3;
const RETENTIONS: readonly Retention[] = ["immutable", "until-tip", "ttl", "no-store"];

export function serializeResponse(value: CachedResponse): SerializedResponse {
  const { body, ledger, ...rest } = value;
  return {
    head: JSON.stringify({ form: FORMAT_VERSION, ...rest, ledger: ledger === null ? null : serializeLedger(ledger) }),
    body,
  };
}

/** Undefined for an entry of another format or a damaged one. */
export function deserializeResponse({ head, body }: SerializedResponse): CachedResponse | undefined {
  const fields = parseJson(head);
  if (!isRecord(fields) || fields["form"] !== FORMAT_VERSION) return undefined;
  const { status, contentType, etag, retention, seconds, storedAtMs, epoch, extras, ledger } = fields;
  const known = RETENTIONS.find((candidate) => candidate === retention);
  if (known === undefined || typeof contentType !== "string" || typeof etag !== "string") return undefined;
  if (typeof status !== "number" || typeof seconds !== "number" || typeof storedAtMs !== "number") return undefined;
  if (typeof epoch !== "number" || !isTexts(extras)) return undefined;
  const read = ledger === null ? null : deserializeLedger(ledger);
  if (read === undefined) return undefined;
  return { status, contentType, etag, retention: known, seconds, storedAtMs, epoch, extras, ledger: read, body };
}

/** Every number as a decimal string. */
export function serializeLedger(ledger: Ledger): Readonly<Record<string, string>> {
  return Object.fromEntries(LEDGER_FIELDS.map((field) => [field, String(ledger[field])]));
}

export function deserializeLedger(fields: unknown): Ledger | undefined {
  if (!isTexts(fields)) return undefined;
  return ledgerOf((field) => BigInt(/^\d{1,20}$/.exec(fields[field] ?? "")?.[0] ?? "0"));
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every((member) => typeof member === "string");
}
