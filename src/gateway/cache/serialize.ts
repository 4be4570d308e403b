import { isRecord, parseJson } from "../../json.ts";
import type { Hold, Value } from "../node-types.ts";
import type { Ledger } from "../tip/ledger-headers.ts";

/** The form in which a value is laid into a cache or a table: its body apart, all the rest as one line of JSON. */
export interface Envelope {
  readonly head: string;
  readonly body: Uint8Array;
}

/** Raised whenever the line changes its meaning: what an older release stored is then not read. */
const FORM = 1;
const HOLDS: readonly Hold[] = ["pinned", "tip", "timed", "never"];

export function seal(value: Value): Envelope {
  const { body, ledger, ...rest } = value;
  return { head: JSON.stringify({ form: FORM, ...rest, ledger: ledger === null ? null : spelled(ledger) }), body };
}

/** Undefined when it is not ours, of another form, or damaged. */
export function open({ head, body }: Envelope): Value | undefined {
  const fields = parseJson(head);
  if (!isRecord(fields) || fields["form"] !== FORM) return undefined;
  const { status, contentType, etag, hold, seconds, storedAtMs, extras, ledger } = fields;
  const known = HOLDS.find((candidate) => candidate === hold);
  if (known === undefined || typeof contentType !== "string" || typeof etag !== "string") return undefined;
  if (typeof status !== "number" || typeof seconds !== "number" || typeof storedAtMs !== "number") return undefined;
  if (!isTexts(extras)) return undefined;
  const read = ledger === null ? null : openLedger(ledger);
  if (read === undefined) return undefined;
  return { status, contentType, etag, hold: known, seconds, storedAtMs, extras, ledger: read, body };
}

/** The decimal spelling of every number, for a line of text. */
export function spelled(ledger: Ledger): Record<keyof Ledger, string> {
  return {
    chainId: String(ledger.chainId),
    version: ledger.version.toString(),
    oldestVersion: ledger.oldestVersion.toString(),
    timestampMicros: ledger.timestampMicros.toString(),
    epoch: ledger.epoch.toString(),
    blockHeight: ledger.blockHeight.toString(),
    oldestBlockHeight: ledger.oldestBlockHeight.toString(),
  };
}

export function openLedger(fields: unknown): Ledger | undefined {
  if (!isTexts(fields)) return undefined;
  const of = (name: keyof Ledger): bigint => BigInt(/^\d{1,20}$/.exec(fields[name] ?? "")?.[0] ?? "0");
  return {
    chainId: Number(of("chainId")),
    version: of("version"),
    oldestVersion: of("oldestVersion"),
    timestampMicros: of("timestampMicros"),
    epoch: of("epoch"),
    blockHeight: of("blockHeight"),
    oldestBlockHeight: of("oldestBlockHeight"),
  };
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every((member) => typeof member === "string");
}
