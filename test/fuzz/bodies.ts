import type { Random } from "./random.ts";
import { transactionRequest } from "./valid-request.ts";

const MEBIBYTE = 1_048_576;

/** A body that may break a server, made from a valid one where there is one. */
export function hostileBody(random: Random, valid: Uint8Array | null): Uint8Array {
  if (valid !== null && valid.length > 0 && random.chance(0.6)) return damaged(random, valid);
  return random.pick(WHOLE)(random);
}

function damaged(random: Random, isValid: Uint8Array): Uint8Array {
  const at = random.below(isValid.length);
  switch (random.below(5)) {
    case 0:
      return isValid.slice(0, at);
    case 1:
      return Buffer.concat([isValid, random.bytes(1 + random.below(40))]);
    case 2:
      return Uint8Array.from(isValid, (byte, index) => (index === at ? byte ^ (1 << random.below(8)) : byte));
    case 3:
      return Buffer.concat([isValid.subarray(0, at), random.bytes(random.below(40)), isValid.subarray(at)]);
    default:
      return Buffer.from(swapped(random, Buffer.from(isValid).toString("latin1")), "latin1");
  }
}

/** The text with one JSON value replaced by an unlikely one. */
function swapped(random: Random, text: string): string {
  const values = [...text.matchAll(/"[^"]*"|\d+|\[\]|true|false|null/g)];
  if (values.length === 0) return text;
  const { index, 0: old } = random.pick(values);
  return text.slice(0, index) + random.pick(UNLIKELY) + text.slice(index + old.length);
}

const UNLIKELY = [
  "null",
  "true",
  "-1",
  "1e400",
  "0.1",
  '""',
  "[]",
  "{}",
  '"\\ud800"',
  '"0x"',
  '"18446744073709551616"',
  '{"__proto__":{}}',
  '"0x1::coin::no_such_function"',
  '"0x1::coin"',
  '"vector<vector<"',
  '"\\u0000"',
  "[[[[[[]]]]]]",
  `"${"a".repeat(3_000)}"`,
  "12345678901234567890",
];

const WHOLE: readonly ((random: Random) => Uint8Array)[] = [
  () => new Uint8Array(),
  (random) => random.bytes(random.pick([1, 32, 300, 5_000])),
  (random) =>
    Buffer.from(
      random.pick([
        "{}",
        "[]",
        "null",
        "0",
        '""',
        "{",
        "[1,",
        "\ufeff{}",
        "{}{}",
        "NaN",
        "'a'",
        "{'a':1}",
        '{"a":1,"a":2}',
      ]),
    ),
  (random) => Buffer.from(nested(random.pick([100, 5_000, 200_000]))),
  () => Buffer.from(`{"function":${nested(3_000)}}`),
  (random) =>
    Buffer.from(
      JSON.stringify({
        ...transactionRequest(random),
        signature: { type: random.pick(["ed25519_signature", "no_account_signature", "x"]) },
      }),
    ),
  (random) =>
    Buffer.from(JSON.stringify(Array.from({ length: random.pick([0, 1, 11, 200]) }, () => transactionRequest(random)))),
  (random) =>
    Buffer.from(
      JSON.stringify({
        key_type: random.pick(["u64", "address", "vector<u8>", "0x1::a::B"]),
        value_type: "u64",
        key: random.pick(["1", 1, null, [], {}]),
      }),
    ),
  (random) =>
    Buffer.from(
      JSON.stringify({ address: random.pick(["0x5", "zz", 1]), amount: random.pick([1, "1", -1, 1e30, "x"]) }),
    ),
  (random) =>
    random.chance(0.05) ? new Uint8Array(8 * MEBIBYTE + random.pick([0, 1, MEBIBYTE])) : random.bytes(70_000),
];

function nested(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}
