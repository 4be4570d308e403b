import fc from "fast-check";
import { expect, test } from "vitest";
import { readSignature, signatureJson } from "../../../../devnode/codec/signature-json.ts";
import document from "../../../../openapi/node.json" with { type: "json" };
import { isRecord } from "../../../../src/json.ts";
import { anyAuthenticator } from "./transaction-arbitraries.ts";

test("every kind of signature is the same after encoding as JSON", () => {
  fc.assert(
    fc.property(anyAuthenticator, (authenticator) => {
      expect(readSignature(JSON.parse(JSON.stringify(signatureJson(authenticator))))).toEqual(authenticator);
    }),
    { numRuns: 500 },
  );
});

/** Member names of the documented schema with this `type`. */
function documentedMembers(type: string): string[] {
  const schema = Object.values(document.components.schemas).find((each) =>
    "properties" in each && "type" in each.properties && "const" in each.properties.type
      ? each.properties.type.const === type
      : false,
  );
  return schema !== undefined && "properties" in schema ? Object.keys(schema.properties).sort() : [];
}

test("every kind of signature has exactly the documented members", () => {
  const seen = new Set<string>();
  const check = (json: Readonly<Record<string, unknown>>): void => {
    const type = String(json["type"]);
    seen.add(type);
    if (type === "single_sender")
      for (const name of Object.keys(json)) expect([...documentedMembers(type), "threshold", "bitmap"]).toContain(name);
    else expect(Object.keys(json).sort()).toEqual(documentedMembers(type));
    for (const nested of [json["sender"], json["secondary_signers"], json["fee_payer_signer"]].flat())
      if (isRecord(nested)) check(nested);
  };
  fc.assert(
    fc.property(anyAuthenticator, (authenticator) => check(signatureJson(authenticator))),
    { numRuns: 500 },
  );
  expect([...seen].sort()).toEqual([
    "ed25519_signature",
    "fee_payer_signature",
    "multi_agent_signature",
    "multi_ed25519_signature",
    "multi_key_signature",
    "no_account_signature",
    "single_key_signature",
    "single_sender",
  ]);
});
