import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { segment } from "../../../support/url-parts.ts";
import { canonicalOf, requestFor } from "../requests.ts";

/** The key of a request line, or the error code with which it is refused. */
async function keyOf(
  method: "GET" | "POST",
  path: string,
  body?: string,
  accept = "application/json",
): Promise<string> {
  const target = await canonicalOf(method, path, body ?? null, accept);
  return "kind" in target ? target.errorCode : target.key;
}

const address = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,8}$/);

/** Any valid form of an address. */
const formatted = (value: bigint): fc.Arbitrary<string> =>
  fc.tuple(fc.boolean(), fc.boolean(), fc.nat(63)).map(([prefix, upper, zeros]) => {
    const digits = value.toString(16);
    const padded = digits.padStart(Math.min(64, digits.length + zeros), "0");
    return `${prefix ? "0x" : ""}${upper ? padded.toUpperCase() : padded}`;
  });

const tag: fc.Arbitrary<{ canonical: string; variant: string }> = fc.letrec<{
  tag: { canonical: string; variant: string };
}>((tie) => ({
  tag: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("u8", "u64", "bool", "address").map((text) => ({ canonical: text, variant: ` ${text} ` })),
    fc.tuple(address, name, name, fc.array(tie("tag"), { maxLength: 2 })).map(([at, module, struct, inner]) => {
      const short = `0x${at.toString(16)}`;
      const long = `0x${at.toString(16).toUpperCase().padStart(64, "0")}`;
      const list = (each: readonly string[]): string => (each.length === 0 ? "" : `<${each.join(",")}>`);
      return {
        canonical: `${short}::${module}::${struct}${list(inner.map(({ canonical }) => canonical))}`,
        variant: `${long} :: ${module}::${struct}${list(inner.map((each) => each.variant))}`,
      };
    }),
  ),
})).tag;
const struct = tag.filter(({ canonical }) => canonical.includes("::"));

describe("one key", () => {
  test("for every form of an address", async () => {
    const forms = address.chain((value) => fc.tuple(fc.constant(value), formatted(value)));
    await fc.assert(
      fc.asyncProperty(forms, async ([value, text]) => {
        const canonical = await keyOf("GET", `/v1/accounts/0x${value.toString(16)}`);
        expect(await keyOf("GET", `/v1/accounts/${text}`)).toBe(canonical);
        expect(canonical).toContain(`/accounts/0x${value.toString(16)} `);
      }),
    );
  });

  test("for every form of a type, generated to any depth", async () => {
    await fc.assert(
      fc.asyncProperty(struct, async ({ canonical, variant: other }) => {
        const at = (text: string): Promise<string> =>
          keyOf("GET", `/v1/accounts/0x1/resource/${encodeURIComponent(text)}`);
        expect(await at(other)).toBe(await at(canonical));
        expect(await at(canonical)).not.toBe("web_framework_error");
      }),
    );
  });

  test("for every order and padding of parameters, with any unknown ones between", async () => {
    const junk = fc.array(fc.tuple(fc.stringMatching(/^[a-z]{3,8}$/), segment), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        u64,
        fc.integer({ min: 1, max: 100 }),
        junk,
        fc.boolean(),
        async (start, limit, extra, swapped) => {
          const known = [`start=${start}`, `limit=00${limit}`];
          const unknown = extra
            .filter(([key]) => key !== "start" && key !== "limit")
            .map(([key, value]) => `${key}=${value}`);
          const query = [...unknown, ...(swapped ? known.reverse() : known)].join("&");
          expect(await keyOf("GET", `/v1/transactions?${query}`)).toBe(
            await keyOf("GET", `/v1/transactions?start=${start}&limit=${limit}`),
          );
        },
      ),
    );
  });
});

describe("two keys", () => {
  test.each([
    ["two addresses", ["GET", "/v1/accounts/0x1"], ["GET", "/v1/accounts/0x10"]],
    ["two versions", ["GET", "/v1/accounts/0x1?ledger_version=1"], ["GET", "/v1/accounts/0x1"]],
    ["names that differ in case", ["GET", "/v1/accounts/0x1/module/coin"], ["GET", "/v1/accounts/0x1/module/Coin"]],
    [
      "a block and the block with its transactions",
      ["GET", "/v1/blocks/by_height/1"],
      ["GET", "/v1/blocks/by_height/1?with_transactions=true"],
    ],
    [
      "by_hash and wait_by_hash",
      ["GET", `/v1/transactions/by_hash/${"a".repeat(64)}`],
      ["GET", `/v1/transactions/wait_by_hash/${"a".repeat(64)}`],
    ],
    [
      "numbers that JSON.parse would make equal",
      ["POST", "/v1/view", "[9007199254740992]"],
      ["POST", "/v1/view", "[9007199254740993]"],
    ],
    ["a string and a number", ["POST", "/v1/view", '["1"]'], ["POST", "/v1/view", "[1]"]],
  ] as const)("for %s", async (_what, one, other) => {
    const [left, right] = [await keyOf(one[0], one[1], one[2]), await keyOf(other[0], other[1], other[2])];
    expect(left).not.toBe(right);
    for (const key of [left, right]) expect(key).toMatch(/^(GET|POST) /);
  });

  test("for JSON and BCS", async () => {
    expect(await keyOf("GET", "/v1/accounts/0x1", undefined, "application/x-bcs")).not.toBe(
      await keyOf("GET", "/v1/accounts/0x1"),
    );
  });
});

test("no documented request is refused", async () => {
  const paths = fc.oneof(
    fc.tuple(address, u64).map(([at, version]) => `/v1/accounts/0x${at.toString(16)}?ledger_version=${version}`),
    fc.tuple(address, name).map(([at, module]) => `/v1/accounts/0x${at.toString(16)}/module/${module}`),
    fc
      .tuple(address, struct, name)
      .map(
        ([at, { variant: text }, field]) =>
          `/v1/accounts/0x${at.toString(16)}/events/${encodeURIComponent(text)}/${field}`,
      ),
    fc
      .tuple(u64, fc.integer({ min: 1, max: 65_535 }))
      .map(([start, limit]) => `/v1/transactions?start=${start}&limit=${limit}`),
    fc.tuple(u64, fc.boolean()).map(([height, whole]) => `/v1/blocks/by_height/${height}?with_transactions=${whole}`),
    fc
      .tuple(address, fc.stringMatching(/^[0-9a-f]{2,80}$/))
      .map(([at, cursor]) => `/v1/accounts/0x${at.toString(16)}/resources?start=${cursor}`),
  );
  await fc.assert(
    fc.asyncProperty(paths, async (path) => {
      expect(await keyOf("GET", path)).toMatch(/^GET /);
    }),
  );
});

test("every path segment reaches the upstream in canonical form", async () => {
  const named = segment.filter((text) => text !== "");
  await fc.assert(
    fc.asyncProperty(named, named, async (one, two) => {
      const key = await keyOf("GET", `/v1/accounts/${one}/module/${two}`);
      expect(key).toMatch(/^(web_framework_error|GET \/accounts\/0x[0-9a-f]+\/module\/\w+ json )$/);
    }),
  );
});

test.each([
  [null, "json", "bcs"],
  ["*/*", "json", "bcs"],
  ["application/*", "json", "bcs"],
  // Header that a common client sends by default.
  ["application/json, text/plain, */*", "json", "bcs"],
  ["application/x-bcs", "bcs", "bcs"],
  ["application/json", "json", "json"],
  ["application/octet-stream", "json", "json"],
  ["*/*, application/x-bcs;q=0", "json", "json"],
])("whoever accepts %s gets an item as %s, and a raw one, which has no other form, as %s", async (...row) => {
  const [accept, ...forms] = row;
  const of = async (path: string) => (await requestFor("POST", path, "{}", accept)).accept;
  expect([await of("/v1/tables/0x1/item"), await of("/v1/tables/0x1/raw_item")]).toEqual(forms);
});

describe("a body", () => {
  test.each(["/v1/view", "/v1/tables/0x1/item", "/v1/tables/0x1/raw_item"])(
    "of a read at %s reaches the upstream byte for byte, and its SHA-256 is part of the key",
    async (path) => {
      const text = '[ -0, 1e3, {"a": 1, "a": 2} ]';
      const request = await requestFor("POST", path, text);
      expect(request.body).toEqual(new TextEncoder().encode(text));
      const digest = createHash("sha256").update(text).digest("hex");
      expect(request.key).toBe(`POST ${path.slice(3)} json application/json ${digest}`);
    },
  );

  test("of a submit is not part of the key: nothing but reads is cached or collapsed", async () => {
    expect(await keyOf("POST", "/v1/transactions", "{}")).toBe("POST /transactions json ");
  });
});

test.each([
  ["/v1/accounts/%zz", "a broken escape"],
  ["/v1/accounts/0x%C3", "an escape that is not UTF-8"],
  ["/v1/accounts/0x1/module/a%2Fb", "an escaped slash"],
  ["/v1/accounts/0x1/module/a%20b", "an escaped space"],
])("%s is refused: %s", async (path) => {
  expect(await keyOf("GET", path)).toBe("web_framework_error");
});

test.each([
  ["/v1/blocks/by_height/x", "path `block_height`"],
  ["/v1/accounts/0x1?ledger_version=x", "parameter `ledger_version`"],
  ["/v1/transactions?limit=x", "parameter `limit`"],
])("%s is refused in the node's words: they name the %s", async (path, what) => {
  const words = new RegExp(`^failed to parse ${what}: failed to parse "integer`);
  expect(await canonicalOf("GET", path)).toMatchObject({ status: 400, message: expect.stringMatching(words) });
});

test("an escape is decoded once, and a type's colons stay readable", async () => {
  const request = await requestFor("GET", "/v1/accounts/0x1/resource/0x1%3A%3Acoin%3A%3ACoin%3Cu8%3E");
  expect(request.path).toBe("/accounts/0x1/resource/0x1::coin::Coin%3Cu8%3E");
  expect(await keyOf("GET", "/v1/accounts/0x1/module/%2561")).toBe("web_framework_error");
});

test("an empty parameter is not replaced by its default", async () => {
  expect(await keyOf("GET", "/v1/accounts/0x1?ledger_version=")).toBe("web_framework_error");
  expect(await keyOf("GET", "/v1/accounts/0x1")).toBe("GET /accounts/0x1 json ");
});
