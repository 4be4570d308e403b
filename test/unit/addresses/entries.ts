import { parseAddresses } from "../../../src/addresses/file/parse-addresses.ts";
import type { AddressFile, RegisteredAddress } from "../../../src/addresses/registered-address.ts";
import type { FileError } from "../../../src/base/file/file-errors.ts";

/** The entries of a valid file. */
export function entriesOf(addresses: readonly object[]): readonly RegisteredAddress[] {
  const result = parseAddresses(JSON.stringify({ addresses }));
  if (result.kind === "errors") throw new Error(JSON.stringify(result.errors));
  return result.entries;
}

export function addressFile(addresses: readonly object[]): AddressFile {
  return { entries: entriesOf(addresses), sha256: "ab".repeat(32) };
}

/** The refusals of a file's text, as `place: sentence`. */
export function refusals(text: string): string[] {
  const result = parseAddresses(text);
  return result.kind === "errors" ? result.errors.map(refusalText) : [];
}

export function refusalText({ path, message }: FileError): string {
  return `${path}: ${message}`;
}
