import fc from "fast-check";
import { describe, expect, test } from "vitest";
import document from "../../../openapi/node.json" with { type: "json" };
import { isRecord } from "../../../src/base/json.ts";
import { readSignature, signatureJson } from "../../codec/signature-json.ts";
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

describe("the indexes of a multi-key signature", () => {
  const signature = { type: "ed25519", value: `0x${"11".repeat(64)}` };
  const bitmapOf = (...indexes: number[]): string => {
    const read = readSignature({
      type: "single_sender",
      public_keys: [{ type: "ed25519", value: `0x${"22".repeat(32)}` }],
      signatures: indexes.map((index) => ({ index, signature })),
      signatures_required: 1,
    });
    if (read.kind !== "single_sender" || read.sender.kind !== "multi_key") throw new Error(read.kind);
    return [...read.sender.bitmap].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  };

  test.each([
    [[0], "80000000"],
    [[7], "01000000"],
    [[8], "00800000"],
    [[31], "00000001"],
    [[9, 0, 1], "c0400000"],
  ])("%j are the bits %s", (indexes, bitmap) => {
    expect(bitmapOf(...indexes)).toBe(bitmap);
  });

  test("are 31 at most", () => {
    expect(() => bitmapOf(32)).toThrow("signature index 32 is out of range");
  });
});

test.each([
  [{ type: "unknown" }, "unknown signature type"],
  [{ type: "abstraction_signature" }, 'unknown signature type "abstraction_signature"'],
  [{ type: "single_sender", public_key: { type: "other", value: "0x" }, signature: {} }, "unknown PublicKey type"],
  [{ type: "single_sender", public_key: { type: "ed25519", value: "0x22" }, signature: {} }, "PublicKey is malformed"],
])("%j is refused: %s", (json, message) => {
  expect(() => readSignature(json)).toThrow(message);
});
