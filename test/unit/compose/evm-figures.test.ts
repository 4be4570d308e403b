import fc from "fast-check";
import { expect, test } from "vitest";
import { evmNode } from "../../../src/families/evm/evm-node.ts";
import type { Rpc } from "../../../src/families/evm/json-rpc.ts";
import { PROGRAM } from "../../../src/families/evm/program.ts";
import { walletsOf } from "../../../src/supply/wallets.ts";
import { deploymentWorld } from "../../support/deployment-world.ts";
import { bucket, file, valid, wallet } from "../supply/schedules.ts";

const [TOKEN, STABLE] = [`0x${"c0".repeat(20)}`, `0x${"5e".repeat(20)}`];
const [TEAM, TREASURY, DEAD] = ["1", "2", "dead"].map((digits) => `0x${digits.padStart(40, "0")}`);
const U256_MAX = 2n ** 256n - 1n;

interface Said {
  readonly decimals: number;
  readonly supply: bigint;
  readonly balances?: ReadonlyMap<string, bigint>;
}

/** A node that answers the reading's program as these tokens do: words of 32 bytes, and nothing else. */
function scripted(tokens: ReadonlyMap<string, Said>): Rpc {
  return async (_method, [asked]) => {
    const input = String(Object(asked).data).slice(PROGRAM.length);
    const [token = "", ...owners] = input.match(/.{40}/g)?.map((digits) => `0x${digits}`) ?? [];
    const { decimals, supply, balances } = tokens.get(token) ?? expect.fail(`no token ${token}`);
    const words = [1n, 100n, BigInt(decimals), supply, ...owners.map((owner) => balances?.get(owner) ?? 0n)];
    const value = `0x${words.map((word) => word.toString(16).padStart(64, "0")).join("")}`;
    return { kind: "result", value };
  };
}

/** The amount in tokens by long division, digit by digit. */
function exactText(amount: bigint, decimals: number): string {
  const unit = 10n ** BigInt(decimals);
  let rest = amount % unit;
  let fraction = "";
  for (let place = 0; place < decimals && rest > 0n; place += 1) {
    rest *= 10n;
    fraction += String(rest / unit);
    rest %= unit;
  }
  return `${amount / unit}${fraction === "" ? "" : `.${fraction}`}`;
}

const MAX_TOKENS = 2n ** 53n - 1n;
/** A share of an amount, in billionths; any base unit may be the last. */
const share = fc.bigInt({ min: 0n, max: 10n ** 9n });
const tokens = fc.record({
  decimals: fc.oneof({ weight: 3, arbitrary: fc.constant(18) }, fc.integer({ min: 0, max: 36 })),
  whole: fc.bigInt({ min: 10n, max: MAX_TOKENS }),
  odd: fc.bigInt({ min: 0n, max: 10n ** 36n }),
  shares: fc.tuple(share, share, share),
  stable: fc.record({
    decimals: fc.integer({ min: 0, max: 36 }),
    supply: fc.oneof(fc.bigInt({ min: 0n, max: U256_MAX - 1n }), fc.constantFrom(2n ** 128n - 1n, U256_MAX - 1n)),
  }),
});

test("property: amounts of 256 bits reach every figure, table, day and badge as they are", async () => {
  await fc.assert(
    fc.asyncProperty(tokens, async ({ decimals, whole, odd, shares, stable }) => {
      const unit = 10n ** BigInt(decimals);
      const supply = whole * unit - (odd % unit);
      const [team = 0n, treasury = 0n, dead = 0n] = shares.map((part) => (supply * part) / 4n / 10n ** 9n);
      const schedule = valid(
        file({
          token: { symbol: "XYZ", name: "Example", decimals },
          max_supply: String(whole),
          buckets: [
            bucket({
              allocation: String(whole),
              genesis: "1",
              phases: [{ kind: "never", amount: String(whole - 1n) }],
            }),
          ],
          wallets: [TEAM, TREASURY, DEAD].map((address = "", index) =>
            wallet(address, { category: ["team", "treasury", "burn"][index] }),
          ),
        }),
        "evm",
      );
      const balances = new Map(
        [TEAM, TREASURY, DEAD].map((address = "", index) => [address, [team, treasury, dead][index] ?? 0n]),
      );
      const call = scripted(
        new Map<string, Said>([
          [TOKEN, { decimals, supply, balances }],
          [STABLE, stable],
        ]),
      );
      const place = deploymentWorld({
        schedule,
        nodes: ["upstream-1", "upstream-2"],
        settings: {
          CHAIN_FAMILY: "evm",
          CHAIN_ID: "1",
          NATIVE_ASSET: TOKEN,
          STABLE_ASSET: STABLE,
          STAKING: "off",
          NODE_URLS: "https://a.example,https://b.example",
        },
        chainNodes: (number) => {
          const head = { number, hash: `0x${number.toString(16).padStart(64, "0")}`, timestampMs: 0 };
          return ["upstream-1", "upstream-2"].map((label) =>
            evmNode({ label, chainId: 1, head, call }, walletsOf(schedule)),
          );
        },
      });
      const expected: Readonly<Record<string, readonly [bigint, number]>> = {
        "total-supply": [supply - dead, decimals],
        "circulating-supply-on-chain": [supply - dead - team - treasury, decimals],
        "burned-supply": [dead, decimals],
        "stable-supply": [stable.supply, stable.decimals],
      };
      for (const [path, [amount, places]] of Object.entries(expected)) {
        const text = async (query: string) => (await place.get(`/api/${path}${query}`)).text;
        expect(await text("?decimals=exact&format=plain"), path).toBe(exactText(amount, places));
        expect(await text("?format=plain"), path).toBe(String(amount / 10n ** BigInt(places)));
      }
      const breakdown = await place.json("/api/supply-breakdown");
      expect(breakdown.minted_supply.base_units).toBe(String(supply));
      expect(
        breakdown.non_circulating_wallets.map(({ address, balance }: Listed) => [address, BigInt(balance.base_units)]),
      ).toEqual([...balances]);
      const csv = (await place.get("/api/history.csv")).text.trim().split("\n").slice(1);
      const rows = csv.map((line) => line.split(",").slice(1, 5));
      for (const [path, [amount, places]] of Object.entries(expected)) {
        const figure = path.replaceAll("-", "_");
        expect(rows).toContainEqual([figure, exactText(amount, places), String(amount), String(places)]);
      }
      const { message } = await place.json("/api/badge/total-supply.json");
      const digits = String((supply - dead) / unit);
      // The digits that a badge shows are the figure's first ones.
      const shown =
        String(message)
          .split(" ")[0]
          ?.replace(/[.,A-Z]/g, "") ?? "";
      expect(shown !== "" && digits.startsWith(shown)).toBe(true);
    }),
    { numRuns: 60 },
  );
}, 120_000);

interface Listed {
  readonly address: string;
  readonly balance: { readonly base_units: string };
}
