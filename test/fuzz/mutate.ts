import { hostileBody } from "./bodies.ts";
import { hostileField } from "./fields.ts";
import type { Random } from "./random.ts";
import type { RawRequest } from "./raw-request.ts";

/** Makes one part of a request invalid, unusual or hostile. */
export function mutated(random: Random, request: RawRequest): RawRequest {
  const mutate = random.pick(MUTATIONS);
  return { ...mutate(random, request), expected: null };
}

type Mutate = (random: Random, sent: RawRequest) => RawRequest;

const METHODS = [..."POST PUT DELETE PATCH OPTIONS HEAD TRACE PROPFIND SEARCH get BREW".split(" "), "G ET", ""];
const SEGMENTS = [
  "..",
  ".",
  "%2e%2e",
  "%00",
  "%0d%0aX-Injected:%201",
  "%",
  "%zz",
  "%ff%fe",
  "%F0%9F%92%A9",
  "\xe2\x82\xac",
  "\xff",
  "'",
  '"',
  "<script>",
  "$%7B7*7}",
  "{{7*7}}",
  "%25%32%65",
  "0x",
  "0x0",
  "-1",
  "1e3",
  "18446744073709551615",
  "18446744073709551616",
  "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  "constructor",
  "__proto__",
  "toString",
  "0x1::a::B%3C0x1::a::B%3C",
  `0x1::a::B${"%3Cu8".repeat(20)}`,
  `${"vector%3C".repeat(100)}u8${"%3E".repeat(100)}`,
  "0x1%3A%3Acoin%3A%3ACoinInfo",
  "0x1::coin::CoinInfo<",
  "%E0%80%AF",
  "..%2f..%2fetc%2fpasswd",
  "a;b=c",
  "a b",
  "\\",
  "*",
  "~",
];
const PARAMETERS = [
  ..."limit start ledger_version month date format with_transactions address amount".split(" "),
  ..."estimate_gas_unit_price duration_secs __proto__ constructor hasOwnProperty".split(" "),
];
const VALUES = [
  "",
  ..."0 -1 1 65535 65536 1e3 0x10 99999999999999999999 18446744073709551615 true TRUE yes null".split(" "),
  ..."2026-13 2026-02 2023-02-29 2024-02-29 9999-12 0000-00 plain result %00 % %ff %D9%A2026-03 []".split(" "),
  "a".repeat(5_000),
  ..."1&limit=2 ' +1 %201 1%20 1.0 NaN Infinity".split(" "),
];

const MUTATIONS: readonly Mutate[] = [
  (random, raw) => ({ ...raw, method: random.pick(METHODS) }),
  (random, raw) => ({ ...raw, target: mutatedTarget(random, raw.target) }),
  (random, raw) => ({ ...raw, target: mutatedTarget(random, raw.target) }),
  (random, raw) => ({ ...raw, target: withQuery(random, raw.target) }),
  (random, raw) => ({ ...raw, target: withQuery(random, raw.target) }),
  (random, raw) => ({ ...raw, fields: [...raw.fields, hostileField(random)] }),
  (random, raw) => ({ ...raw, fields: [...raw.fields, hostileField(random)] }),
  (random, raw) => ({ ...raw, fields: raw.fields.filter(() => random.chance(0.5)) }),
  (_random, raw) => ({ ...raw, fields: [...raw.fields, ...raw.fields] }),
  (random, raw) => ({ ...raw, body: hostileBody(random, raw.body) }),
  (random, raw) => ({ ...raw, method: random.pick(["POST", raw.method]), body: hostileBody(random, raw.body) }),
  (random, raw) => ({ ...raw, method: "POST", framing: "chunked", body: raw.body ?? hostileBody(random, null) }),
];

function mutatedTarget(random: Random, target: string): string {
  const [path = "", query] = target.split("?");
  const segments = path.split("/");
  const at = 1 + random.below(Math.max(1, segments.length - 1));
  const replaced = (text: string): string => [...segments.slice(0, at), text, ...segments.slice(at + 1)].join("/");
  const tail = query === undefined ? "" : `?${query}`;
  switch (random.below(12)) {
    case 0:
      return `${path}/${tail}`;
    case 1:
      return `/${target}`;
    case 2:
      return `${path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)}${tail}`;
    case 3:
      return `${path.toUpperCase()}${tail}`;
    case 4:
      return `/v1/..${target}`;
    case 5:
      return `/${random.text(random.pick([1, 200, 8_000, 100_000]), "abc/.%-_~0x")}`;
    case 6:
      return random.pick([
        "*",
        "http://other.example/api/max-supply",
        "api/max-supply",
        "//other.example/%2e%2e",
        "",
        "/?",
        "/#",
      ]);
    case 7:
      return `${path}${random.pick(["%20", "#x", ";v=1", "%3f", "\\", "%00", "\x00", "\t"])}${tail}`;
    default:
      return replaced(random.pick(SEGMENTS)) + tail;
  }
}

function withQuery(random: Random, target: string): string {
  const given = Array.from({ length: 1 + random.below(3) }, () => `${random.pick(PARAMETERS)}=${random.pick(VALUES)}`);
  if (random.chance(0.05)) given.push(...Array.from({ length: 1_000 }, (_, index) => `p${index}=1`));
  return `${target}${target.includes("?") ? "&" : "?"}${given.join("&")}`;
}

/** Fields that contradict the body. None declares more than is sent: there would be no response to wait for. */
export function misframed(random: Random, raw: RawRequest): RawRequest {
  const body = raw.body ?? Buffer.from('{"a":1}');
  const reported: readonly (readonly [string, string])[] = random.pick([
    [["Content-Length", String(Math.max(0, body.length - 3))]],
    [["Content-Length", "abc"]],
    [["Content-Length", "-1"]],
    [
      ["Content-Length", "5"],
      ["Content-Length", "4"],
    ],
    [["Content-Length", `+${body.length}`]],
    [
      ["Content-Length", "5"],
      ["Transfer-Encoding", "chunked"],
    ],
    [["Transfer-Encoding", "gzip"]],
    [["Transfer-Encoding", "chunked, chunked"]],
  ] as const);
  const ends = reported.some(([name]) => name === "Transfer-Encoding") ? Buffer.from("0\r\n\r\n") : body;
  const method = random.pick(["POST", "POST", "GET"]);
  return { ...raw, method, body: ends, framing: "as_written", fields: [...raw.fields, ...reported], expected: null };
}
