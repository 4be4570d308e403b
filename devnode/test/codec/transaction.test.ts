import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decode } from "../../codec/bcs.ts";
import { type BcsWriter, encodeBcs } from "../../codec/bcs-writer.ts";
import { decodeSignedTransaction, encodeSignedTransaction, rawTransaction } from "../../codec/transaction.ts";
import { anySignedTransaction } from "./transaction-arbitraries.ts";

test("every kind of payload, authenticator, key and signature is the same after BCS", () => {
  fc.assert(
    fc.property(anySignedTransaction, (signed) => {
      expect(decodeSignedTransaction(encodeSignedTransaction(signed))).toEqual({ kind: "decoded", value: signed });
    }),
    { numRuns: 500 },
  );
});

test("a transaction truncated anywhere, or extended by a byte, is refused", () => {
  fc.assert(
    fc.property(anySignedTransaction, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (signed, part) => {
      const whole = encodeSignedTransaction(signed);
      expect(decodeSignedTransaction(whole.slice(0, Math.floor(part * whole.length))).kind).toBe("malformed");
      const longer = new Uint8Array(whole.length + 1);
      longer.set(whole);
      expect(decodeSignedTransaction(longer)).toEqual({ kind: "malformed", message: "remaining input" });
    }),
  );
});

test("a transaction with one changed byte is refused, or re-encodes unchanged", () => {
  fc.assert(
    fc.property(anySignedTransaction, fc.nat(), fc.integer({ min: 1, max: 255 }), (signed, place, change) => {
      const bytes = encodeSignedTransaction(signed);
      const at = place % bytes.length;
      bytes[at] = (bytes[at] ?? 0) ^ change;
      const read = decodeSignedTransaction(bytes);
      if (read.kind === "decoded") expect([...encodeSignedTransaction(read.value)]).toEqual([...bytes]);
    }),
    { numRuns: 1_000 },
  );
});

describe("unknown variants and wrong sizes are refused with the decoder's message", () => {
  const [key, signature] = [new Uint8Array(32), new Uint8Array(64)];
  /** A raw transaction whose payload `write` writes. */
  const withPayload = (write: (writer: BcsWriter) => void) =>
    encodeBcs((writer) => {
      write(writer.fixed(new Uint8Array(32)).u64(0n));
      writer.u64(0n).u64(0n).u64(0n).u8(4);
    });
  const signedBy = (write: (writer: BcsWriter) => void) =>
    encodeBcs((writer) => {
      writer.fixed(withPayload((payload) => payload.uleb(3).fixed(new Uint8Array(32)).u8(0)));
      write(writer);
    });

  test("control: the raw transaction below is valid without its defect", () => {
    expect(decodeSignedTransaction(signedBy((w) => w.uleb(0).bytes(key).bytes(signature))).kind).toBe("decoded");
  });

  test.each<[string, Uint8Array, string | RegExp]>([
    ["a module bundle", withPayload((w) => w.uleb(1).u64(0n)), "Module bundle payload has been removed"],
    ["an orderless transaction", withPayload((w) => w.uleb(4)), /does not support versioned payloads.*orderless/],
    ["an encrypted payload", withPayload((w) => w.uleb(5)), /does not support encrypted payloads/],
    ["a seventh payload", withPayload((w) => w.uleb(6)), /variant index 0 <= i < 6/],
    [
      "a second kind of multisig call",
      withPayload((w) => w.uleb(3).fixed(key).u8(1).uleb(1)),
      /variant index 0 <= i < 1/,
    ],
    [
      "a function name that is not an identifier",
      withPayload((w) => w.uleb(2).fixed(key).string("1m")),
      "Invalid identifier '1m'",
    ],
  ])("a payload is refused with %s", (_name, payload, message) => {
    expect(decode(rawTransaction, payload)).toEqual({
      kind: "malformed",
      message: typeof message === "string" ? message : expect.stringMatching(message),
    });
  });

  test.each<[string, (writer: BcsWriter) => void, RegExp]>([
    ["a sixth authenticator", (w) => w.uleb(5), /variant index 0 <= i < 5/],
    ["an abstracted account", (w) => w.uleb(4).uleb(5), /does not support account abstraction/],
    ["a short Ed25519 key", (w) => w.uleb(0).bytes(key.slice(1)).bytes(signature), /Ed25519 public key has 31 bytes/],
    ["a long Ed25519 signature", (w) => w.uleb(0).bytes(key).bytes(new Uint8Array(65)), /signature has 65 bytes/],
    ["multi-Ed25519 keys without a threshold", (w) => w.uleb(1).bytes(key).bytes(new Uint8Array(4)), /32 bytes/],
    ["multi-Ed25519 without signatures", (w) => w.uleb(1).bytes(new Uint8Array(33)).bytes(key.slice(0, 0)), /0 bytes/],
    [
      "33 multi-Ed25519 keys",
      (w) =>
        w
          .uleb(1)
          .bytes(new Uint8Array(33 * 32 + 1))
          .bytes(key.slice(0, 4)),
      /1057 bytes/,
    ],
    ["a compressed secp256k1 key", (w) => w.uleb(4).uleb(2).uleb(1).bytes(new Uint8Array(33)), /has 33 bytes, not 65/],
  ])("an authenticator is refused with %s", (_name, write, message) => {
    expect(decodeSignedTransaction(signedBy(write))).toEqual({
      kind: "malformed",
      message: expect.stringMatching(message),
    });
  });
});
