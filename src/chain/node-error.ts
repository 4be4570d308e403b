import { isRecord } from "../base/json.ts";
import { concatBytes } from "./bytes.ts";
import { ERROR_STATUS } from "./error-codes.ts";
import type { CleanText } from "./node-text.ts";
import { decodeUtf8 } from "./utf8.ts";

/**
 * Reduces a node's error to what a client may see: the documented members, and a documented code, because clients stop
 * at any other code. SDKs would follow a URL in another member with the caller's key. Returns undefined for anything
 * but an error of the interface.
 */
export function nodeError(error: unknown, status: number, clean: CleanText) {
  if (!isRecord(error)) return undefined;
  const { message, error_code, vm_error_code } = error;
  if (typeof error_code !== "string" || !/^[a-z0-9_]{1,64}$/.test(error_code)) return undefined;
  const isCode = typeof vm_error_code === "number" && Number.isSafeInteger(vm_error_code);
  const text = typeof message === "string" ? clean(message) : "";
  const other = status >= 500 ? "internal_error" : "web_framework_error";
  const code = Object.hasOwn(ERROR_STATUS, error_code) ? error_code : other;
  return { message: text, error_code: code, vm_error_code: isCode ? vm_error_code : null };
}

/**
 * Reduces a batch report to each failure's index and the documented members of its error. Returns undefined for
 * anything else.
 */
export function batchReport(sent: unknown, clean: CleanText) {
  if (!isRecord(sent) || !Array.isArray(sent["transaction_failures"])) return undefined;
  const failures = sent["transaction_failures"].map((failure: unknown) => {
    const { error, transaction_index } = isRecord(failure) ? failure : {};
    return { error: nodeError(error, 400, clean), transaction_index };
  });
  const isReport = failures.every((each) => each.error !== undefined && Number.isSafeInteger(each.transaction_index));
  return isReport ? { transaction_failures: failures } : undefined;
}

/**
 * Cleans the messages of a BCS batch report. An entry has a message, a code number, an optional 8-byte VM code and an
 * 8-byte index. undefined: the bytes are not exactly such a report.
 */
export function bcsBatchReport(sent: Uint8Array, clean: CleanText): Uint8Array | undefined {
  let at = 0;
  const uleb = (): number => {
    const begin = at;
    while ((sent[at] ?? 0) > 127) at += 1;
    at += 1;
    return sent.subarray(begin, at).reduceRight((value, byte) => value * 128 + (byte & 127), 0);
  };
  const count = uleb();
  const pieces: Uint8Array[] = [Uint8Array.from(ulebOf(count))];
  for (let left = count; left > 0; left -= 1) {
    const length = uleb();
    const text = decodeUtf8(sent.subarray(at, at + length));
    if (text === undefined || at + length >= sent.length) return undefined;
    const message = new TextEncoder().encode(clean(text));
    const begin = at + length;
    at = begin;
    uleb();
    at += sent[at] === 1 ? 17 : 9;
    pieces.push(Uint8Array.from(ulebOf(message.length)), message, sent.subarray(begin, at));
  }
  return at === sent.length ? concatBytes(pieces) : undefined;
}

function ulebOf(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...ulebOf(value >> 7)];
}
