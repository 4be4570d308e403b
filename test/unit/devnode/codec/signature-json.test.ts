import fc from "fast-check";
import { expect, test } from "vitest";
import { readSignature, signatureJson } from "../../../../devnode/codec/signature-json.ts";
import { anyAuthenticator } from "./transaction-arbitraries.ts";

test("every kind of signature survives JSON", () => {
  fc.assert(
    fc.property(anyAuthenticator, (authenticator) => {
      expect(readSignature(JSON.parse(JSON.stringify(signatureJson(authenticator))))).toEqual(authenticator);
    }),
    { numRuns: 500 },
  );
});
