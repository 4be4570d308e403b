import { expect, test } from "vitest";
import { bridgedSchedule, bridgedWorld } from "../../support/bridged-world.ts";
import { lockCode, viewSlot } from "../../support/evm/lock.ts";

const RATE = "0x00000000000000000000000000000000000000fe";
const VIEW = "getRate()";
const ETHER = 10n ** 18n;

test("a share on a further chain has its price there, and health says when that chain is away", async () => {
  const share = {
    ...{ id: "vault", name: "Savings vault", kind: "vault", provider: "Example" },
    ...{ asset: { symbol: "XYZ", decimals: 18 }, chain: "eth", contract: RATE, view: VIEW, decimals: 18 },
  };
  const world = await bridgedWorld({ schedule: bridgedSchedule({ share_prices: [share] }) });
  const { chain, nodes } = world.chains.eth;
  const writes = new Map([[viewSlot(VIEW), ETHER]]);
  await chain.mine(new Map(), null, new Map([[RATE, { code: lockCode(), writes }]]));
  await world.check();
  const price = async () => (await world.json("/api/rates/vault")).share_price;
  expect(await price()).toMatchObject({ chain: "eth", price: { value: String(ETHER), witnesses: 2 } });
  const rows = () => world.recorded.prices.map(({ day, series }) => [day, series]);
  const first = ["2026-11-21", `eth 1 ${RATE} ${VIEW} 18`];
  expect(rows()).toEqual([first]);
  const unreadable = async () =>
    (await world.json("/api/health")).problems.filter(
      ({ code }: { code: string }) => code === "share_price_unreadable",
    );
  expect(await unreadable()).toEqual([]);
  for (const node of nodes) node.instead = () => ({ status: 500, body: {} });
  world.pass(86_400);
  await world.check();
  expect(await unreadable()).toMatchObject([{ subject: "vault", message: expect.stringContaining(VIEW) }]);
  expect(rows()).toEqual([first]);
  // The price of the day before stays, with its date.
  expect(await price()).toMatchObject({ price: { date: "2026-11-21", value: String(ETHER) } });
});
