import type { TokenReader } from "../../src/onchain/reader.ts";
import type { Reading } from "../../src/onchain/reading.ts";
import type { LoadError, Sample } from "../../src/swr/loader.ts";

/** Forces a reading; returns it if it is accepted, otherwise the reason. */
export async function readingOf(reader: TokenReader): Promise<Sample<Reading> | LoadError> {
  const { good, error } = await reader.shared.get(null, "revalidate");
  if (error !== null) return { kind: "failure", reason: error };
  if (good === null || good === "same") throw new Error("a reading counts, or has failed");
  return good;
}
