import fc from "fast-check";
import type { RawRequest } from "./raw-request.ts";

/** Change of a request or of a part of it. */
export type Change<T> = (sound: T) => T;

const MEBIBYTE = 1_048_576;

export const METHODS = [
  ..."GET POST PUT DELETE PATCH OPTIONS HEAD TRACE PROPFIND SEARCH get BREW".split(" "),
  "G ET",
  "",
];

const SEGMENTS = [
  ..."' \" .. . %2e%2e %00 %0d%0aX-Injected:%201 % %zz %ff%fe %F0%9F%92%A9 \xe2\x82\xac \xff <script> $%7B7*7}".split(
    " ",
  ),
  ..."{{7*7}} %25%32%65 0x 0x0 -1 1e3 18446744073709551615 18446744073709551616 constructor __proto__ toString".split(
    " ",
  ),
  ..."0x1::a::B%3C0x1::a::B%3C 0x1%3A%3Acoin%3A%3ACoinInfo 0x1::coin::CoinInfo< %E0%80%AF a;b=c \\ * ~".split(" "),
  `0x${"f".repeat(66)}`,
  `0x1::a::B${"%3Cu8".repeat(20)}`,
  `${"vector%3C".repeat(100)}u8${"%3E".repeat(100)}`,
  "..%2f..%2fetc%2fpasswd",
  "a b",
  "",
];

/** Values of parameters. */
export const VALUES = [
  "",
  ..."0 -1 1 65535 65536 1e3 0x10 99999999999999999999 18446744073709551615 true TRUE yes null plain result".split(" "),
  ..."2026-13 2026-02 2023-02-29 2024-02-29 9999-12 0000-00 %00 % %ff %D9%A2026-03 [] ' +1 %201 1%20 1.0".split(" "),
  ..."NaN Infinity 1&limit=2".split(" "),
  "a".repeat(5_000),
];

/** Generates changes of a target: a segment, the form of the path, or parameters, some with the given names. */
export function hostileTarget(names: readonly string[]): fc.Arbitrary<Change<string>> {
  const pair = fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(...VALUES))
    .map(([name, value]) => `${name}=${value}`);
  const asked = fc.oneof(
    { weight: 20, arbitrary: fc.array(pair, { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constant(Array.from({ length: 1_000 }, (_, index) => `p${index}=1`)) },
  );
  const anywhere = fc.tuple(fc.nat(20), fc.constantFrom(...SEGMENTS)).map(([at, text]) => (target: string) => {
    const [path = "", ...query] = target.split("?");
    const segments = path.split("/");
    segments[1 + (at % Math.max(1, segments.length - 1))] = text;
    return [segments.join("/"), ...query].join("?");
  });
  const whole = [
    "*",
    "http://other.example/api/max-supply",
    "api/max-supply",
    "//other.example/%2e%2e",
    "",
    "/?",
    "/#",
  ];
  const after = ["/", "%20", "#x", ";v=1", "%3f", "\\", "%00", "\x00", "\t"];
  return fc.oneof(
    anywhere,
    asked.map((given) => (target: string) => `${target}${target.includes("?") ? "&" : "?"}${given.join("&")}`),
    fc.constantFrom<Change<string>[]>(
      (target) => `/${target}`,
      (target) => `/v1/..${target}`,
      (target) => target.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
      (target) => target.toUpperCase(),
      ...after.map((text) => (target: string) => target.replace(/\?|$/, (query) => `${text}${query}`)),
      ...whole.map((target) => () => target),
    ),
    fc.constantFrom(1, 200, 8_000, 100_000).map((length) => () => `/${"abc/.%-_~0x".repeat(length).slice(0, length)}`),
  );
}

const TYPES = [
  ..."application/json text/plain application/x-bcs application/x.node.signed_transaction+bcs application/xml".split(
    " ",
  ),
  ..."application/x.aptos.view_function+bcs ; application/ */*".split(" "),
  ..."multipart/form-data; boundary=x|application/json; charset=utf-16|".split("|"),
  "a".repeat(500),
];

const ADDRESSES = "1.2.3.4 999.1.1.1 ::1 2001:db8::1 ::ffff:1.2.3.4 unknown \xff [::1]:80 fe80::1%eth0".split(" ");

/** Values of fields that the product or the runtime reads. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  "X-API-Version": [..."0 2 1.0 v1 -1 1; latest \xd9\xa1 \xff\xfe".split(" "), "", "1, 1", " 1", "9".repeat(3_000)],
  Accept: [
    ...TYPES,
    ..."text/plain;q=2 application/json;q=0 ,,, text/plain;q= */*;q=0.0001".split(" "),
    "a/b,".repeat(2_000),
  ],
  "Content-Type": TYPES,
  "If-None-Match": [...'* "" W/ "a" a,b,c \xff'.split(" "), '*, "a"', `"${"x".repeat(2_000)}"`, '"a",'.repeat(500)],
  "If-Modified-Since": [
    "never",
    "",
    "Sat, 21 Nov 2099 00:00:00 GMT",
    "Thu, 01 Jan 1970 00:00:00 GMT",
    "1",
    "2026-11-21",
  ],
  Range: "bytes=0-1 bytes=-1 bytes=5-1 bytes=0-0,2-3 items=1 bytes=99999999999-".split(" "),
  "If-Match": ["*", '"a"'],
  Origin: ["null", "", "\xff", "https://a.example, https://b.example", "javascript:alert(1)", "x".repeat(4_000)],
  "CF-Connecting-IP": [...ADDRESSES, "", "1.2.3.4, 5.6.7.8", "a".repeat(5_000)],
  "X-Forwarded-For": ["1.2.3.4", "', drop table"],
  Cookie: ["a=b", "a=b;".repeat(1_000), "\xff"],
  Authorization: ["Bearer x", "Basic ::::", "x".repeat(9_000)],
  "Accept-Encoding": "identity;q=0 br gzip;q=0 x *;q=0".split(" "),
  "Access-Control-Request-Headers": ["x-api-version", "*", "a,".repeat(1_000), "\xff", "x y"],
  "Access-Control-Request-Method": ["GET", "POST", "BREW", ""],
  "Cache-Control": "no-cache only-if-cached max-age=0 no-store x".split(" "),
  Expect: ["100-continue", "200-ok"],
  Upgrade: ["websocket", "h2c"],
  "Content-Encoding": ["gzip", "br", "x", "identity"],
  Host: ["a b", "", ..."other.example x/v1 127.0.0.1:99999 [::1] a,b other.example:80 xn--\xff".split(" ")],
  Connection: ["close", "keep-alive, X-API-Version", "upgrade"],
  "X-Http-Method-Override": ["DELETE", "POST"],
};

/** Generates a header field that may break a server. */
export function hostileField(): fc.Arbitrary<readonly [name: string, value: string]> {
  const known = fc
    .constantFrom(...Object.keys(FIELDS))
    .chain((name) => fc.constantFrom(...(FIELDS[name] ?? [])).map((value) => [name, value] as const));
  const long = fc.constantFrom(0, 10, 1_000, 20_000, 100_000).map((length) => 'ab \t\x80\xff,;="'.repeat(length / 10));
  return fc.oneof(
    { weight: 10, arbitrary: known },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom("X-a", "X-0--Z"), long) },
    {
      weight: 1,
      arbitrary: fc.tuple(
        fc.constantFrom("Bad Name", "Bad(Name)", "", "X-Ctl"),
        fc.constantFrom("x", "a\x00b", "a\x01b", "a\r\n b", "a\rb"),
      ),
    },
  );
}

const UNLIKELY = [
  ...'null true -1 1e400 0.1 "" [] {} "\\ud800" "0x" "18446744073709551616" {"__proto__":{}} "0x1::coin"'.split(" "),
  ...'"0x1::coin::no_such_function" "vector<vector<" "\\u0000" [[[[[[]]]]]] 12345678901234567890'.split(" "),
  `"${"a".repeat(3_000)}"`,
];

const WHOLE = [
  ..."{} [] null 0 \"\" { [1, \ufeff{} {}{} NaN 'a' {'a':1}".split(" "),
  '{"a":1,"a":2}',
  ...[100, 3_000, 200_000].flatMap((depth) => [nested(depth), `{"function":${nested(depth)}}`]),
].map((text) => Buffer.from(text));
const LARGE = [70_000, 8 * MEBIBYTE, 8 * MEBIBYTE + 1, 9 * MEBIBYTE].map((bytes) => new Uint8Array(bytes));

/** Generates a body that may break a server, from a sound one if there is one. */
export function hostileBody(): fc.Arbitrary<(sound: Uint8Array | null) => Uint8Array> {
  const damaged = fc
    .tuple(fc.nat(2_000), fc.nat(3), fc.uint8Array({ maxLength: 40 }), value())
    .map(([place, how, bytes, text]) => (sound: Uint8Array | null) => {
      if (sound === null || sound.length === 0) return bytes;
      const at = place % sound.length;
      if (how === 0) return sound.slice(0, at);
      if (how === 1) return Buffer.concat([sound.subarray(0, at), bytes, sound.subarray(at)]);
      if (how === 2) return sound.map((byte, index) => (index === at ? byte ^ (1 << (place % 8)) : byte));
      return Buffer.from(swapped(Buffer.from(sound).toString("latin1"), place, text), "latin1");
    });
  return fc.oneof(
    { weight: 12, arbitrary: damaged },
    {
      weight: 6,
      arbitrary: fc.oneof(fc.constantFrom(...WHOLE), fc.uint8Array({ maxLength: 300 })).map((all) => () => all),
    },
    { weight: 1, arbitrary: fc.constantFrom(...LARGE).map((all) => () => all) },
  );
}

/** Generates a JSON value of an unexpected kind. */
function value(): fc.Arbitrary<string> {
  return fc.oneof(fc.constantFrom(...UNLIKELY), fc.json({ maxDepth: 2 }));
}

/** Replaces one JSON value in a text. */
function swapped(text: string, place: number, by: string): string {
  const values = [...text.matchAll(/"[^"]*"|\d+|\[\]|true|false|null/g)];
  const chosen = values[place % Math.max(1, values.length)];
  return chosen === undefined ? by : text.slice(0, chosen.index) + by + text.slice(chosen.index + chosen[0].length);
}

function nested(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

/** Generates fields that contradict the body. None declares more than is sent, because then no response would come. */
export function misframing(): fc.Arbitrary<Change<RawRequest>> {
  const length = (text: string | ((bytes: number) => number | string)) => (bytes: number) => [
    ["Content-Length", typeof text === "string" ? text : String(text(bytes))] as const,
  ];
  const coded =
    (...fields: readonly (readonly [string, string])[]) =>
    () =>
      fields;
  const framed = fc.constantFrom(
    length((bytes) => Math.max(0, bytes - 3)),
    length((bytes) => `+${bytes}`),
    length("abc"),
    length("-1"),
    coded(["Content-Length", "5"], ["Content-Length", "4"]),
    coded(["Content-Length", "5"], ["Transfer-Encoding", "chunked"]),
    coded(["Transfer-Encoding", "gzip"]),
    coded(["Transfer-Encoding", "chunked, chunked"]),
  );
  return fc.tuple(framed, fc.constantFrom("POST", "POST", "GET")).map(([fieldsFor, method]) => (raw) => {
    const sound = raw.body ?? Buffer.from('{"a":1}');
    const fields = fieldsFor(sound.length);
    const body = fields.some(([name]) => name === "Transfer-Encoding") ? Buffer.from("0\r\n\r\n") : sound;
    return { ...raw, method, body, framing: "as_written", fields: [...raw.fields, ...fields] };
  });
}
