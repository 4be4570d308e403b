import type { Random } from "./random.ts";

type Field = readonly [name: string, value: string];

const TYPES = [
  "application/json",
  "text/plain",
  "application/x-bcs",
  "application/x.node.signed_transaction+bcs",
  "application/x.aptos.view_function+bcs",
  "application/xml",
  "multipart/form-data; boundary=x",
  "application/json; charset=utf-16",
  "",
  ";",
  "application/",
  "*/*",
  "a".repeat(500),
];

const ODD: readonly ((random: Random) => Field)[] = [
  (random) => [
    "X-API-Version",
    random.pick([
      "",
      "0",
      "2",
      "1.0",
      "v1",
      "1, 1",
      "-1",
      " 1",
      "\xd9\xa1",
      "\xff\xfe",
      "1;",
      "latest",
      "9".repeat(3_000),
    ]),
  ],
  (random) => [
    "Accept",
    random.pick([
      ...TYPES,
      "text/plain;q=2",
      "application/json;q=0",
      ",,,",
      "text/plain;q=",
      "*/*;q=0.0001",
      "text/*, */*;q=0.1",
      "a/b,".repeat(2_000),
    ]),
  ],
  (random) => ["Content-Type", random.pick(TYPES)],
  (random) => [
    "If-None-Match",
    random.pick(["*", '""', "W/", '"a"', "a,b,c", `"${"x".repeat(2_000)}"`, '"a",'.repeat(500), "\xff", '*, "a"']),
  ],
  (random) => [
    "If-Modified-Since",
    random.pick(["never", "", "Sat, 21 Nov 2099 00:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "1", "2026-11-21"]),
  ],
  (random) => [
    "Range",
    random.pick(["bytes=0-1", "bytes=-1", "bytes=5-1", "bytes=0-0,2-3", "items=1", "bytes=99999999999-"]),
  ],
  (random) => ["If-Match", random.pick(["*", '"a"'])],
  (random) => [
    "Origin",
    random.pick([
      "null",
      "https://page.example",
      "",
      "\xff",
      "https://a.example, https://b.example",
      "javascript:alert(1)",
      "x".repeat(4_000),
    ]),
  ],
  (random) => [
    "CF-Connecting-IP",
    random.pick([
      "",
      "1.2.3.4",
      "999.1.1.1",
      "::1",
      "2001:db8::1",
      "::ffff:1.2.3.4",
      "1.2.3.4, 5.6.7.8",
      "unknown",
      "\xff",
      "a".repeat(5_000),
      "[::1]:80",
      "fe80::1%eth0",
    ]),
  ],
  (random) => ["X-Forwarded-For", random.pick(["1.2.3.4", "', drop table"])],
  (random) => ["Cookie", random.pick(["a=b", "a=b;".repeat(1_000), "\xff"])],
  (random) => ["Authorization", random.pick(["Bearer x", "Basic ::::", "x".repeat(9_000)])],
  (random) => ["Accept-Encoding", random.pick(["identity;q=0", "br", "gzip;q=0", "x", "*;q=0"])],
  (random) => [
    "Access-Control-Request-Headers",
    random.pick(["x-api-version", "*", "a,".repeat(1_000), "\xff", "x y"]),
  ],
  (random) => ["Access-Control-Request-Method", random.pick(["GET", "POST", "BREW", ""])],
  (random) => ["Cache-Control", random.pick(["no-cache", "only-if-cached", "max-age=0", "no-store", "x"])],
  (random) => ["Expect", random.pick(["100-continue", "200-ok"])],
  (random) => ["Upgrade", random.pick(["websocket", "h2c"])],
  (random) => ["Content-Encoding", random.pick(["gzip", "br", "x", "identity"])],
  (random) => [
    "Host",
    random.pick([
      "other.example",
      "a b",
      "x/v1",
      "",
      "127.0.0.1:99999",
      "[::1]",
      "a,b",
      "other.example:80",
      "xn--\xff",
    ]),
  ],
  (random) => ["Connection", random.pick(["close", "keep-alive, X-API-Version", "upgrade"])],
  (random) => [
    `X-${random.text(1 + random.below(20), "abcDEF-0")}`,
    random.text(random.pick([0, 10, 1_000, 20_000, 100_000]), 'ab \t\x80\xff,;="'),
  ],
  (random) => ["X-Http-Method-Override", random.pick(["DELETE", "POST"])],
  (random) => [
    random.pick(["Bad Name", "Bad(Name)", "", "X-Ctl", "X-Fold"]),
    random.pick(["x", "a\x00b", "a\x01b", "a\r\n b", "a\rb"]),
  ],
];

/** A header field that may break a server. */
export function hostileField(random: Random): Field {
  return random.pick(ODD)(random);
}
