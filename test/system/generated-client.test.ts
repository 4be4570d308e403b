import { spawn } from "node:child_process";
import createClient from "openapi-fetch";
import { describe, expect, test } from "vitest";
import type { paths as NodePaths } from "../../openapi/node.generated.ts";
import type { paths as PublicPaths } from "../../openapi/public.generated.ts";
import { hasPython } from "../support/machine-tools.ts";
import { finished } from "../support/run-tool.ts";
import { NOT_OF_THE_SAMPLE } from "../support/sample.ts";
import { product } from "../support/shared-product.ts";

/** Clients generated from the served documents, as a user does. That they compile is half of the test. */
describe("clients generated with openapi-typescript and openapi-fetch", () => {
  test("the types were generated from the served documents", async () => {
    for (const [path, file] of [
      ["/api/openapi.json", "../../openapi/public.json"],
      ["/v1/spec.json", "../../openapi/node.json"],
    ] as const) {
      const served: unknown = await (await fetch(product.url + path)).json();
      const { default: source } = (await import(file, { with: { type: "json" } })) as { default: unknown };
      const lacked = NOT_OF_THE_SAMPLE.map((each) => each.slice("/api/".length));
      const isLacked = (name: unknown) => lacked.includes(String(name).replaceAll("_", "-"));
      // Badges and history are limited to the figures that are served; the names of health are not.
      const isOfHealth = (names: readonly unknown[]) => names.includes("supply_breakdown");
      const known = JSON.parse(JSON.stringify(source), (key, value: unknown) => {
        if (NOT_OF_THE_SAMPLE.includes(key)) return undefined;
        return Array.isArray(value) && !isOfHealth(value) ? value.filter((each) => !isLacked(each)) : value;
      }) as unknown;
      const servers = [{ url: product.url, description: "This host" }];
      expect(served, path).toEqual({ ...Object(known), servers });
    }
  });

  test("supply: exact amounts, errors as data", async () => {
    const client = createClient<PublicPaths>({ baseUrl: product.url });
    const { data } = await client.GET("/api/supply");
    expect(BigInt(data?.circulating.base_units ?? "0")).toBeGreaterThan(0n);
    const { data: figure } = await client.GET("/api/circulating-supply", { params: { query: { month: "2025-01" } } });
    expect(typeof figure).toBe("number");
    const { error, response } = await client.GET("/api/circulating-supply", {
      params: { query: { month: "2025-01", date: "2025-01-31" } },
    });
    expect([response.status, error?.error_code]).toEqual([400, "invalid_input"]);
    const { data: rates } = await client.GET("/api/rates");
    expect(rates?.data[0]?.apy).toBeTypeOf("number");
  });

  test("yields: the adapter of the manual reads the listing, as it is printed there", async () => {
    const manual = await (await fetch(`${product.url}/docs/yields.md`)).text();
    const code = /```js\n(.*?)```/s.exec(manual)?.[1] ?? "";
    expect(code.split("\n").length).toBeLessThanOrEqual(22);
    const adapter = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      apy: (base: string) => Promise<{ pool: string; symbol: string; apyBase: number; poolMeta: string }[]>;
    };
    const pools = await adapter.apy(product.url);
    const { data } = await createClient<PublicPaths>({ baseUrl: product.url }).GET("/api/rates");
    expect(pools.map(({ poolMeta }) => poolMeta)).toEqual(data?.data.map(({ name }) => name));
    expect(pools[0]).toMatchObject({ pool: "protocol-native-staking", apyBase: data?.data[0]?.apy, apyReward: 0 });
  });

  test.skipIf(!hasPython)(
    "figures: the function of the manual in Python reads a figure, as it is printed there",
    async () => {
      const manual = await (await fetch(`${product.url}/docs/trackers.md`)).text();
      const [, code = ""] = /```python\n(.*?)```/s.exec(manual) ?? [];
      const { code: exit, output } = await finished(
        spawn("python3", ["-c", code.replaceAll("https://HOST", product.url)]),
      );
      const exact = await (await fetch(`${product.url}/api/circulating-supply?decimals=exact`)).text();
      expect([exit, output]).toEqual([0, exact]);
    },
  );

  test("figures: each spreadsheet formula of the manual reads an address that answers without markup", async () => {
    const manual = await (await fetch(`${product.url}/docs/trackers.md`)).text();
    const formulas = [...manual.matchAll(/^=(?:NUMBERVALUE\(WEBSERVICE|IMPORTDATA)\("(.*?)"\)\)?$/gm)];
    expect(formulas).toHaveLength(manual.match(/^=/gm)?.length ?? 0);
    for (const [, address = ""] of formulas) {
      const answer = await fetch(address.replace("https://HOST", product.url));
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/^(\d+$|month,)/)]);
    }
  });

  test("chain: ledger, account, transactions, blocks, a view, and an error as data", async () => {
    const client = createClient<NodePaths, "application/json">({ baseUrl: product.url });
    const { data: ledger } = await client.GET("/v1");
    expect(ledger?.chain_id).toBe(4);
    const { data: account } = await client.GET("/v1/accounts/{address}", { params: { path: { address: "0x1" } } });
    expect(account?.sequence_number).toMatch(/^\d+$/);
    const { data: transactions } = await client.GET("/v1/transactions", {
      params: { query: { start: "1", limit: 2 } },
    });
    expect(transactions?.map((one) => ("version" in one ? one.version : undefined))).toEqual(["1", "2"]);
    const { data: block } = await client.GET("/v1/blocks/by_version/{version}", { params: { path: { version: "2" } } });
    const height = block?.block_height ?? "";
    const { data: same } = await client.GET("/v1/blocks/by_height/{block_height}", {
      params: { path: { block_height: height } },
    });
    expect(same?.block_hash).toBe(block?.block_hash);
    const { data: supply } = await client.POST("/v1/view", {
      body: { function: "0x1::coin::supply", type_arguments: ["0x1::aptos_coin::AptosCoin"], arguments: [] },
    });
    expect(supply).toHaveLength(1);
    const { error, response } = await client.GET("/v1/transactions/by_version/{txn_version}", {
      // A version in a body can be sent as a parameter unchanged: both are strings.
      params: { path: { txn_version: "18446744073709551615" } },
    });
    expect([response.status, error?.error_code]).toEqual([404, "transaction_not_found"]);
  });

  test("a 64-bit parameter is a string: a number does not compile", () => {
    type Version = NodePaths["/v1/transactions/by_version/{txn_version}"]["get"]["parameters"]["path"]["txn_version"];
    // @ts-expect-error numbers lose digits beyond 2^53
    const version: Version = 1;
    expect(version).toBe(1);
  });
});
