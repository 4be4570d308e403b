import { dayText } from "../../src/base/utc.ts";
import { type BaseUnits, tokenText } from "../../src/chain/amount.ts";
import { stateOf, sumOf } from "../../src/onchain/reading.ts";
import { bucketsOf } from "../../src/supply/schedule.ts";
import { isBurned, walletsOf } from "../../src/supply/wallets.ts";
import { FORMS } from "./forms.ts";
import { type Sheet, sheet } from "./sheet.ts";
import type { Facts } from "./sheets.ts";

/** The answers to a form's questions; null: neither schedule nor chain has one, and a person adds it. */
type Answers<Name extends "coingeckoSupply" | "transparency"> = Readonly<
  Record<(typeof FORMS)[Name]["questions"][number], string | null>
>;

/** CoinGecko's figures, of which it has two definitions of the total. */
export function coingeckoSupplySheet({ schedule, reading, url }: Facts): Sheet {
  const { burned, total, circulating } = reading.amounts;
  const text = (amount: BaseUnits): string => tokenText(amount, schedule.token.decimals);
  const burnWallets = walletsOf(schedule).filter(isBurned);
  const answers: Answers<"coingeckoSupply"> = {
    "Max Supply": text(schedule.maxSupply),
    "Total Supply: Max Supply less burned tokens": text(schedule.maxSupply - burned),
    "Total Supply by its methodology: on-chain supply less burned tokens": text(total),
    "Burn Token Wallet": [...new Set(burnWallets.map(({ address }) => address))].join("; ") || null,
    "Burned without a wallet: amount and evidence": null,
    "Circulating Supply: on-chain Total Supply less uncirculated wallets": text(circulating),
    "Total Supply API": `${url}/api/total-supply`,
    "Circulating Supply API": `${url}/api/circulating-supply-on-chain`,
  };
  return answered(FORMS.coingeckoSupply, answers);
}

/** What the schedule and the chain can say of the framework's part on supply. */
export function transparencySheet({ schedule, reading, url, atMs }: Facts): Sheet {
  const { token, maxSupply, revision, publishedAt, adjustments } = schedule;
  const text = (amount: BaseUnits): string => `${tokenText(amount, token.decimals)} ${token.symbol}`;
  const buckets = bucketsOf(schedule);
  const heldBy = ["foundation", "treasury"].map((category) => {
    const wallets = walletsOf(schedule).filter((wallet) => wallet.category === category);
    const held = sumOf(wallets.flatMap((wallet) => stateOf(wallet, reading.reading.wallets) ?? []));
    return wallets.length === 0
      ? []
      : [`${category}: ${text(held)} in ${wallets.map(({ address }) => address).join(", ")}`];
  });
  const { total, circulating } = reading.amounts;
  const answers: Answers<"transparency"> = {
    "Supply: maximum, total, circulating": `${text(maxSupply)}; ${text(total)}; ${text(circulating)}, at ${dayText(atMs)}`,
    "Supply schedule": `${url}/api/unlock-schedule (revision ${revision} of ${publishedAt})`,
    Allocations: buckets.map(({ label, allocation }) => `${label}: ${text(allocation)}`).join("; ") || null,
    "Vesting of each allocation": buckets.length === 0 ? null : FORMS.cmcUnlocks.file,
    "Changes to the schedule":
      adjustments.length === 0 ? "none" : `${adjustments.length}, with their sources: ${FORMS.planAndFacts.file}`,
    "Holdings of foundation and treasury": heldBy.flat().join("; ") || null,
    "Whether locked tokens can be staked": null,
    "Buyers of each private allocation, and prices": null,
  };
  return answered(FORMS.transparency, answers);
}

function answered(form: Sheet["form"], answers: Readonly<Record<string, string | null>>): Sheet {
  return sheet(
    form,
    (form.questions ?? []).map((question) => [question, answers[question] ?? ""]),
    [],
  );
}
