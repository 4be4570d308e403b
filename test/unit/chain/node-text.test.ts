import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keyProblem, secretsOf } from "../../../src/chain/node-key.ts";
import { textCleaner } from "../../../src/chain/node-text.ts";

const clean = textCleaner("");

describe("what has the form of an address is replaced:", () => {
  test.each([
    "https://a.example/v1?key=secret",
    "//a.example",
    "http:/a.example",
    "\\\\a.example\\share",
    "a.example",
    "node-7:8080",
    "node:8080",
    "rpc.provider.com",
    "0.prod.acme.internal",
    "rpc-3.acme",
    "rpc.acme.finance",
    "api.acme.io",
    "a.example/path",
    "x&a.example",
    "secret@a.example",
    "secret@node-7",
    "https%3A%2F%2Fa%2Eexample",
    "https%253A%252F%252Fnode",
    "a%2Eexample",
    "a&#46;example",
    "a\u3002example",
    "https\u2236\u2044\u2044node",
    "http://2130706433",
    "10.9.8.7",
    "10.9.8.7:80",
    "10.9.8.7/v1",
    "fe80::1",
    "::1",
    "[::1]:8080",
    "fe80::dead:beef%eth0",
    "2001:db8::a.",
    "2001:db8:0:0:0:0:0:1",
    "::ffff:a09:807",
    "/home/operator/key",
    "opt/aptos/db",
    "C:\\data\\db",
    "(https://a.example/(secret))",
  ])("%s", (address) => {
    for (const text of [`see ${address} there`, `"${address}"`, `at(${address}),`, `archive=${address}`])
      expect(clean(text)).toMatch(/^(see \(address\)[.]? there|"\(address\)[.]?"|\(address\),?[.]?)$/);
  });

  // A row ends with an address, so each pattern reads all of it.
  test.each([":", "a::", "a::b", "0:", "fe80::", "(", ".a", ".", "%", "%25", '"', "a@", "-", "a+", "&#46"])(
    "in linear time, after many %j",
    (part) => {
      expect(clean(`${part.repeat(60_000)} ${part.repeat(60_000)}//a.example`)).toContain("(address)");
    },
  );
});

describe("of a node's and its modules' own words all stays:", () => {
  test.each([
    "Resource not found by Address(0xf), Struct tag(0x1::coin::CoinStore<0x1::aptos_coin::AptosCoin>) and Ledger version(9)",
    'Table Item not found by Table handle(0x1b), Table key({"inner":"0xa"}) and Ledger version(12)',
    "Invalid transaction: Type: Validation Code: SEQUENCE_NUMBER_TOO_OLD. The transaction's sequence number is 3.",
    "Move abort in 0x1::coin: EINSUFFICIENT_BALANCE(0x10006): Not enough coins to complete transaction",
    "Execution failed in 0xdead::beef::pay at code offset 3",
    'failed to parse path `txn_version`: failed to parse "integer(uint64)": invalid digit found in string',
    "Mempool is full. Mempool size: 100, Capacity: 100; at most 50% of it = ours!",
    "Gebühr zu niedrig: +1, -1",
    // Sentences as the public framework's and other modules' errors have them.
    "Shareholder cannot have more than u64.max shares.",
    "Pool's total coins cannot exceed u64.max.",
    "Account has no capabilities (burn/mint).",
    "The address/account did not correspond to the core resource address",
    "Cannot add/reactivate stake unless being allowlisted by the pool owner.",
    "Invalid withdraw/deposit on dispatchable token. Need to invoke dispatchable_fungible_asset::withdraw/deposit to perform transfer.",
    "should be done at least a quarter (1/4) of the lockup duration before the lockup cycle ends.",
    "Commission percentage has to be between 0 and `MAX_FEE` - 100%.",
    "The fee is above 0.5% of the pool, or above 12.75 %.",
    "The voting power increase limit percentage must be within (0, 50].",
    "Specified rewards rate is invalid, which must be within [0, rewards_rate].",
    "Aggregator V1 only supports limit == MAX_U128.",
    "Multiplier must be > 100 (> 1x); 1.5x is not, nor is v1.2.3.",
    "Zero items were provided to a *_many function.",
    "Indicates this is not a keyless+Ed25519-backup account.",
    "Randomness APIs calls must originate from a private entry function with `#[randomness]` annotation.",
    "only supports ranges of type $[0, 2^b)$ where $b \\in \\{8, 16\\}$.",
    'does not match the number of "{}" in the format string: {} & {}',
    "Terms & conditions\u2014and a dash \u2013 stay; e.g. this, i.e. that, 10:30:45, #7 and *",
    "self.value of pool.total_coins, object.id, token.name and coin.store, signed by @0x1 or @aptos_framework",
    "Insufficient funds.If more are needed, ask.",
    "Division by zero? Yes/no: `a / b`, 100 % c",
  ])("%s", (text) => {
    expect(clean(text)).toBe(text);
  });

  test("of any length, in linear time", () => {
    const text = `unknown function: ${"a+".repeat(150_000)}`;
    expect(clean(text)).toBe(text);
  });
});

describe("the key that was sent to a node", () => {
  const TOKEN = "sk_live_4f9aXq77TESTKEY0123456789";
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  /** An entry of `NODE_API_KEY`, and every text in which it is a secret. */
  const FORMS: readonly (readonly [entry: string, secrets: readonly string[]])[] = [
    [TOKEN, [TOKEN]],
    ["pa/ss+wo=rd&?#%:x", ["pa/ss+wo=rd&?#%:x"]],
    ["project-id:s3cret-s3cret", ["project-id:s3cret-s3cret", "project-id", "s3cret-s3cret"]],
    [`X-Api-Key: ${TOKEN}`, [`X-Api-Key: ${TOKEN}`, TOKEN]],
    [`Authorization: Bearer ${TOKEN}`, [`Authorization: Bearer ${TOKEN}`, `Bearer ${TOKEN}`, TOKEN]],
    [`authorization: token  ${TOKEN}`, [`token  ${TOKEN}`, TOKEN]],
    ["X-Auth: correct horse battery", ["correct horse battery", "horse battery"]],
    [`Cookie: session=${TOKEN}`, [`session=${TOKEN}`, TOKEN]],
    [
      `Authorization: Basic ${base64(`operator:${TOKEN}`)}`,
      [base64(`operator:${TOKEN}`), `operator:${TOKEN}`, "operator", TOKEN],
    ],
    [`Authorization: Basic ${base64(`:${TOKEN}`)}`, [base64(`:${TOKEN}`), TOKEN]],
    [`Authorization: Basic ${base64(`${TOKEN}:`)}`, [base64(`${TOKEN}:`), TOKEN]],
    [`Authorization: Basic ${base64(`api:p\u00e4ssw\u00f6rt-1`)}`, ["api", "p\u00e4ssw\u00f6rt-1"]],
  ];
  const everyByte = (text: string) =>
    [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  const WRITINGS: readonly ((text: string) => string)[] = [
    (text) => text,
    encodeURIComponent,
    (text) => encodeURIComponent(text).toLowerCase(),
    (text) => encodeURIComponent(encodeURIComponent(text)),
    everyByte,
    (text) => encodeURIComponent(text).replaceAll("%20", "+"),
    (text) => text.toUpperCase(),
    (text) => text.replace(/[/"]/g, "\\$&"),
  ];

  test.each(FORMS)("of the form %s never stands in a text", (entry, secrets) => {
    expect(keyProblem(entry)).toBeNull();
    const cleaned = textCleaner(entry);
    for (const secret of secrets)
      for (const write of WRITINGS) {
        const written = write(secret);
        expect(cleaned(`Used up: ${written} is over its quota`), written).toBe("Used up: (key) is over its quota");
        const inside = cleaned(`denied: {"key":"${written}"}, ${written}; [${written}]`);
        expect(inside.toLowerCase(), written).not.toContain(written.toLowerCase());
      }
  });

  test("of any characters never stands in a text, beside whatever the node writes", () => {
    const printable = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    });
    const keys = printable.filter((text) => text.length >= 8 && keyProblem(text) === null);
    const entries = fc.oneof(
      keys,
      keys.map((key) => `X-Api-Key: ${key}`),
      keys.map((key) => `Authorization: Bearer ${key}`),
      fc
        .tuple(printable, keys)
        .map(([user, key]) => `Authorization: Basic ${base64(`${user.replaceAll(":", "")}:${key}`)}`),
    );
    fc.assert(
      fc.property(entries, fc.string(), fc.string(), fc.constantFrom(...WRITINGS), (entry, before, after, write) => {
        fc.pre(keyProblem(entry) === null);
        const cleaned = textCleaner(entry);
        const long = secretsOf(entry).filter((secret) => secret.length >= 8);
        expect(long.length).toBeGreaterThan(0);
        for (const secret of long) expect(cleaned(`${before}${write(secret)}${after}`)).not.toContain(write(secret));
      }),
    );
  });

  test("is not looked for in the words of a node without one, nor are short names inside words", () => {
    expect(clean("API key sk_live is over its quota")).toBe("API key sk_live is over its quota");
    const cleaned = textCleaner(`Authorization: Basic ${base64(`api:${TOKEN}`)}`);
    expect(cleaned("the api of capital letters, rapid")).toBe("the (key) of capital letters, rapid");
  });

  test.each([
    "1234567",
    "X-Api-Key: 1234567",
    "Authorization: Bearer 1234567",
    `Authorization: Basic ${base64("user:1234567")}`,
    "a",
  ])("is refused under 8 characters, without repeating it: %s", (entry) => {
    expect(keyProblem(entry)).toMatch(/^has a key of fewer than 8 characters/);
    expect(keyProblem(entry)).not.toContain("1234567");
  });

  test.each(["12345678", "X-Api-Key: 12345678", `Authorization: Basic ${base64("12345678:")}`, ""])(
    "is accepted from 8 characters on: %s",
    (entry) => {
      expect(keyProblem(entry)).toBeNull();
    },
  );
});
