import { expect, test } from "vitest";
import { metricsSourceAt, planFinding, trafficFinding } from "../../../tools/doctor/traffic.ts";

test.each([
  ["paid", 150_000, { is: "150000 requests in the last day, on the paid plan", problems: [] }],
  ["free", 28_800, { is: "28800 requests in the last day, 29 % of the free plan's 100000", problems: [] }],
  [
    "free",
    81_000,
    { warnings: [expect.stringContaining("81 % of the free plan's 100000: above the limit, callers get")] },
  ],
])("on the %s plan %i requests a day are reported as", (plan, requests, finding) => {
  expect(planFinding(requests, plan)).toMatchObject(finding);
});

const ROUTES = [{ pattern: "api.example.org", custom_domain: true }];
const FILE = {
  env: { production: { name: "own-api", routes: ROUTES, vars: { PLAN: "free" } }, staging: { name: "own-test" } },
};

test.each([
  ["https://api.example.org", { dataset: "own_api", plan: "free" }],
  ["https://own-test.somebody.workers.dev", { dataset: "own_test", plan: "paid" }],
  ["https://elsewhere.example", null],
])("the metrics of %s are those of %o", (url, section) => {
  expect(metricsSourceAt(new URL(url), FILE)).toEqual(section);
});

test("the metrics are asked for the day's requests of the dataset; a refusal is a warning", async () => {
  const asked: unknown[] = [];
  const variables = { CLOUDFLARE_API_TOKEN: "t0ken", CLOUDFLARE_ACCOUNT_ID: "acc" };
  const answering = (response: Response) =>
    trafficFinding({ dataset: "own_api", plan: "paid" }, variables, async (input, init) => {
      asked.push(String(input), init?.body, new Headers(init?.headers).get("Authorization"));
      return response;
    });
  const found = await answering(Response.json({ data: [{ requests: "2880.4" }] }));
  expect(found).toMatchObject({ is: expect.stringContaining("2880 requests"), problems: [] });
  expect(asked).toEqual([
    "https://api.cloudflare.com/client/v4/accounts/acc/analytics_engine/sql",
    expect.stringMatching(/^SELECT sum.*\nFROM own_api\n/),
    "Bearer t0ken",
  ]);
  const refused = await answering(new Response("", { status: 403 }));
  expect(refused).toMatchObject({ problems: [], warnings: [expect.stringContaining("answer 403")] });
  expect(JSON.stringify(refused)).not.toContain("t0ken");
  expect(await trafficFinding({ dataset: "d", plan: "free" }, {}, fetch)).toBeNull();
});
