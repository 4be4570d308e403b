import { isRecord } from "../../src/json.ts";
import { preview } from "../codec/preview.ts";
import type { NodeError } from "./node-error.ts";
import { malformedBody } from "./request-body.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** A request body that must be an object of the type named. */
export function objectBody(value: unknown, type: string): JsonObject | NodeError {
  return isRecord(value)
    ? value
    : malformedBody(`failed to parse "${type}": Expected input type "object", found ${preview(value)}.`);
}

/** A field that must be a string. */
export function textField(body: JsonObject, field: string, type: string): string | NodeError {
  const value = body[field];
  if (typeof value === "string") return value;
  return value === undefined
    ? malformedBody(`failed to parse "${type}": field \`${field}\` is required`)
    : malformedBody(`failed to parse "${type}": field \`${field}\` must be a string, found ${preview(value)}`);
}

/** A field that must be an array. */
export function listField(body: JsonObject, field: string, type: string): readonly unknown[] | NodeError {
  const value = body[field];
  if (Array.isArray(value)) return value;
  return malformedBody(
    value === undefined
      ? `failed to parse "${type}": field \`${field}\` is required`
      : `failed to parse "${type}": field \`${field}\` must be an array, found ${preview(value)}`,
  );
}
