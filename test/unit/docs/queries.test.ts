import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { dataPoint, type MetricsEvent } from "../../../src/base/metrics.ts";

const NOW_MS = Date.UTC(2026, 10, 22, 12);
const HOUR_MS = 3_600_000;
/** One event in a hundred is written; the platform keeps one row in two, and of those with an error one in four. */
const [WEIGHT, INTERVAL] = [100, 2];
const intervalOf = (event: MetricsEvent): number =>
  (event.kind === "request" ? event.status >= 400 : event.result !== "ok") ? 2 * INTERVAL : INTERVAL;

const request = (change: Partial<MetricsEvent & { kind: "request" }>): MetricsEvent => ({
  kind: "request",
  route: "/api/supply",
  method: "GET",
  status: 200,
  cache: "none",
  limiter: "admitted",
  decision: { milliseconds: 4, mode: "exact", region: "weur" },
  dataCenter: "FRA",
  milliseconds: 10,
  ...change,
});
const upstream = (result: string, milliseconds: number): MetricsEvent => {
  return { kind: "upstream", route: "account", upstream: "upstream-1", result, milliseconds };
};

const EVENTS: readonly MetricsEvent[] = [
  ...Array.from({ length: 97 }, () => request({})),
  request({ status: 503, milliseconds: 900, decision: { milliseconds: 1_000, mode: "local", region: "weur" } }),
  request({ status: 503, milliseconds: 900, decision: { milliseconds: 4, mode: "exact", region: "weur" } }),
  request({ status: 500, milliseconds: 900, decision: { milliseconds: 4, mode: "exact", region: "weur" } }),
  ...Array.from({ length: 3 }, () => request({ route: "/v1", status: 429, limiter: "refused", dataCenter: "SIN" })),
  request({ route: "/v1", dataCenter: "SIN", decision: { milliseconds: 90, mode: "exact", region: "apac-se" } }),
  request({ route: "/v1", limiter: "peeked", decision: null, dataCenter: "SIN" }),
  ...Array.from({ length: 5 }, () => upstream("ok", 50)),
  upstream("timeout", 3_000),
];

/** The rows of a query over these events, as the platform's SQL API would return them. */
function run(name: string): unknown[] {
  const database = new DatabaseSync(":memory:");
  const columns = ["blob", "double"].flatMap((kind) => Array.from({ length: 20 }, (_, index) => `${kind}${index + 1}`));
  database.exec(`CREATE TABLE DATASET (timestamp, _sample_interval, index1, ${columns.join(", ")})`);
  const insert = (event: MetricsEvent, atMs: number) => {
    const { indexes, blobs, doubles } = dataPoint(event, WEIGHT);
    const values = [
      ...columns.slice(0, 20).map((_, index) => blobs[index] ?? ""),
      ...columns.slice(20).map((_, index) => doubles[index] ?? 0),
    ];
    const marks = values.map(() => "?").join(", ");
    database
      .prepare(`INSERT INTO DATASET VALUES (?, ?, ?, ${marks})`)
      .run(atMs, intervalOf(event), indexes[0], ...values);
  };
  for (const event of EVENTS) insert(event, NOW_MS - 1);
  // Too old for any query.
  for (const event of EVENTS) insert(event, NOW_MS - HOUR_MS);
  database.function("toUInt32", (value) => Math.floor(Number(value)));
  // The driver's accumulator is an SQL value: the rows so far, as JSON.
  database.aggregate("quantileExactWeighted", {
    start: "[]",
    step: (rows, share, value, weight) =>
      JSON.stringify([...JSON.parse(String(rows)), [Number(share), Number(value), Number(weight)]]),
    result: (rows) => quantile(JSON.parse(String(rows))),
  });
  // The platform's dialect: times, and a quantile's parameter in parentheses of its own.
  const sql = readFileSync(`docs/queries/${name}.sql`, "utf8")
    .replaceAll(/NOW\(\) - INTERVAL '1' (?:HOUR|DAY)/g, String(NOW_MS - HOUR_MS))
    .replaceAll(/quantileExactWeighted\(([\d.]+)\)\(/g, "quantileExactWeighted($1, ");
  return database
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }));
}

function quantile(rows: readonly [share: number, value: number, weight: number][]): number {
  const values = rows
    .toSorted(([, a], [, b]) => a - b)
    .flatMap(([, value, weight]) => Array<number>(weight).fill(value));
  return values[Math.ceil((rows[0]?.[0] ?? 0) * values.length) - 1] ?? Number.NaN;
}

const SCALE = WEIGHT * INTERVAL;
const EXPECTED: Readonly<Record<string, unknown[]>> = {
  "share-of-5xx": [
    { route: "/api/supply", requests: 103 * SCALE, share_of_5xx: expect.closeTo(6 / 103, 9) },
    { route: "/v1", requests: 8 * SCALE, share_of_5xx: 0 },
  ],
  "p99-by-route": [
    { route: "/api/supply", p50_milliseconds: 10, p99_milliseconds: 900, p99_limiter_milliseconds: 1_000 },
    { route: "/v1", p50_milliseconds: 10, p99_milliseconds: 10, p99_limiter_milliseconds: 90 },
  ],
  "local-decisions": [
    { region: "weur", decisions: 109 * SCALE, share_of_local: expect.closeTo(2 / 109, 9) },
    { region: "apac-se", decisions: SCALE, share_of_local: 0 },
  ],
  "share-of-429": [
    { route: "/api/supply", data_centre: "FRA", requests: 103 * SCALE, share_of_429: 0 },
    { route: "/v1", data_centre: "SIN", requests: 8 * SCALE, share_of_429: 0.75 },
  ],
  "requests-a-day": [{ requests: 111 * SCALE }],
  "upstream-errors": [
    { upstream: "upstream-1", result: "ok", calls: 5 * SCALE, p99_milliseconds: 50 },
    { upstream: "upstream-1", result: "timeout", calls: 2 * SCALE, p99_milliseconds: 3_000 },
  ],
};

test.each(Object.keys(EXPECTED))("the query %s gives the true figures, of sampled data points too", (name) => {
  expect(run(name)).toEqual(EXPECTED[name]);
});

test("every query is tested, and named in operations.md", () => {
  const files = readdirSync("docs/queries").map((file) => file.replace(/\.sql$/, ""));
  expect(files.sort()).toEqual(Object.keys(EXPECTED).sort());
  const operations = readFileSync("docs/operations.md", "utf8");
  for (const name of files) expect([name, operations.includes(`\`${name}.sql\``)]).toEqual([name, true]);
});
