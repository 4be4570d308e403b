import { afterEach, expect, test, vi } from "vitest";
import { Refusal } from "../../../../tools/lib/command-line.ts";
import { verify } from "../../../../tools/schedule/verify.ts";
import { bucket, file, valid, wallet } from "../../supply/schedules.ts";

afterEach(() => vi.unstubAllGlobals());

const TOKEN = 10n ** 8n;
const account = (address: string, category: string) => wallet(address, { category });

/** A node at version 500 on which 0xa1 holds 2 tokens, 0xa2 nothing, and 0xa2 has delegated 40 tokens to 0xdd. */
function node() {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string, init: { body?: string }) => {
    if (init.body === undefined)
      return Response.json({ ledger_version: "500", chain_id: 4, block_timestamp: `${Date.parse("2026-01-01")}000` });
    const call = JSON.parse(init.body);
    const [first, second] = call.arguments;
    asked.push(`${call.function.slice(5)} ${call.arguments.join(" ")} ${new URL(url).search}`);
    const values: Record<string, unknown> = {
      "coin::supply": { vec: [String(1_000n * TOKEN)] },
      "coin::decimals": 8,
      "coin::balance": String(first === "0xa1" ? 2n * TOKEN : 0n),
    };
    const name = call.function.slice(5);
    const stake = second === "0xa2" && first === "0xdd" ? 40n * TOKEN : 0n;
    const body = name === "delegation_pool::get_stake" ? [String(stake), "0", "0"] : [values[name]];
    return new Response(JSON.stringify(body), { headers: { "X-NODE-LEDGER-VERSION": "500" } });
  });
  return asked;
}

const run = async (wallets: readonly unknown[], pools?: string): Promise<string> => {
  const schedule = valid(file({ buckets: [bucket()], wallets }));
  const { text = "" } = await verify(schedule, { nodes: ["http://node.test/v1"], pools });
  return text;
};

test("the figures of trackers are printed, of one ledger version", async () => {
  const asked = node();
  const lines = (
    await run([account("0xa1", "team"), { ...account("0xa2", "foundation"), holds: "delegation", pool: "0xdd" }])
  ).split("\n");
  expect(lines[0]).toBe("ledger version 500: total 1000, burned 0, wallets 42, circulating on chain 958");
  expect(asked.filter((line) => line.endsWith(" ?ledger_version=500"))).toHaveLength(4);
  expect(lines.filter((line) => line.startsWith("warning"))).toEqual([]);
});

test("a delegation that is not listed is found in the given pools", async () => {
  node();
  const lines = (await run([account("0xa1", "team"), account("0xa2", "foundation")], "0xdd,0xde")).split("\n");
  expect(lines.filter((line) => line.startsWith("warning"))).toEqual([
    "warning: 0xa2 has 0 XYZ and 40 XYZ delegated to 0xdd, which the schedule does not list",
  ]);
});

test("an account with almost nothing is named, and how to look for its stake", async () => {
  node();
  const lines = (await run([account("0xa1", "team"), account("0xa2", "foundation")])).split("\n");
  expect(lines.filter((line) => line.startsWith("warning"))).toEqual([
    "warning: 0xa2 (Vault) holds 0 XYZ; --pools looks for stake that it has delegated",
  ]);
});

test("a pool that is no address is refused", async () => {
  node();
  await expect(run([], "pool")).rejects.toThrow(Refusal);
});
