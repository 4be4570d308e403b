import { dayText } from "../../src/base/utc.ts";
import { type BaseUnits, tokenText } from "../../src/chain/amount.ts";
import { NATIVE_CHAIN } from "../../src/chain/holding.ts";
import { stateOf, sumOfBalances } from "../../src/onchain/reading.ts";
import { constantsAt } from "../../src/supply/constants.ts";
import { bucketsOf, hasUnlocks, type Schedule } from "../../src/supply/schedule.ts";
import { isBurned, isBurnedForGood, type Wallet, walletsOf } from "../../src/supply/wallets.ts";
import { chainText, circulatingAddress, type Facts, NO_MAXIMUM } from "./facts.ts";
import { FORMS } from "./forms.ts";
import { type Sheet, sheet } from "./sheet.ts";

/** Answers to a form's questions; null: neither schedule nor chain has the answer, so a person adds it. */
type Answers<Name extends "coingeckoSupply" | "transparency"> = Readonly<
  Record<(typeof FORMS)[Name]["questions"][number], string | null>
>;

/** Query of the form that CoinGecko's endpoints must have: an object, with every decimal. */
const EXACT_RESULT = "?format=result&decimals=exact";

/** Fills in CoinGecko's figures, with its two definitions of the total supply. */
export function coingeckoSupplySheet(facts: Facts): Sheet {
  const { schedule, reading, url } = facts;
  const { minted, burned, total, circulating } = reading.amounts;
  const text = (amount: BaseUnits): string => chainText(facts, amount);
  const { maxSupply, mintedOnce, token } = schedule;
  const maximum = maxSupply === null ? null : maxSupply * 10n ** BigInt(reading.reading.extraDecimals ?? 0);
  // More than the maximum contradicts the statement, so nothing is known to be burned.
  const burnedByContract = mintedOnce && maximum !== null && minted < maximum ? maximum - minted : 0n;
  const burnedWithoutWallet = [
    ...constantsAt(schedule, facts.atMs)
      .filter(isBurned)
      .map(({ amount, source }) => `${tokenText(amount, token.decimals)}: ${source}`),
    ...(burnedByContract === 0n ? [] : [`${text(burnedByContract)}: ${url}/api/burned-by-contract`]),
  ];
  const burnWallets = walletsOf(schedule).filter(isBurnedForGood(schedule));
  const answers: Answers<"coingeckoSupply"> = {
    "Max Supply": maximum === null ? NO_MAXIMUM : text(maximum),
    "Total Supply: Max Supply less burned tokens":
      maximum === null ? NO_MAXIMUM : text(maximum - burned - burnedByContract),
    "Total Supply by its methodology: on-chain supply less burned tokens": text(total),
    "Burn Token Wallet": [...new Set(burnWallets.map(({ address }) => address))].join("; ") || null,
    "Burned without a wallet: amount and evidence": burnedWithoutWallet.join("; ") || null,
    "Circulating Supply: on-chain Total Supply less uncirculated wallets": text(circulating),
    "Total Supply API": `${url}/api/total-supply${EXACT_RESULT}`,
    "Circulating Supply API": circulatingAddress(facts, EXACT_RESULT),
  };
  return answerSheet(FORMS.coingeckoSupply, answers);
}

/** Answers the framework's questions on supply from the schedule and the chain. */
export function transparencySheet(facts: Facts): Sheet {
  const { schedule, reading, url, atMs } = facts;
  const { token, maxSupply, revision, publishedAt } = schedule;
  const text = (amount: BaseUnits): string => `${tokenText(amount, token.decimals)} ${token.symbol}`;
  const read = (amount: BaseUnits): string => `${chainText(facts, amount)} ${token.symbol}`;
  const buckets = bucketsOf(schedule);
  const heldBy = ["foundation", "treasury"].map((category) => {
    const wallets = walletsOf(schedule).filter((wallet) => wallet.category === category);
    const held = sumOfBalances(wallets.flatMap((wallet) => stateOf(wallet, reading.reading.wallets) ?? []));
    return wallets.length === 0
      ? []
      : [`${category}: ${read(held)} in ${wallets.map(({ address }) => address).join(", ")}`];
  });
  const { total, circulating } = reading.amounts;
  const answers: Answers<"transparency"> = {
    "Supply: maximum, total, circulating": `${maxSupply === null ? NO_MAXIMUM : text(maxSupply)}; ${read(total)}; ${read(circulating)}, at ${dayText(atMs)}`,
    "Supply schedule": hasUnlocks(schedule)
      ? `${url}/api/unlock-schedule (revision ${revision} of ${publishedAt})`
      : "none: what circulates is the total less the listed wallets",
    Allocations: buckets.map(({ label, allocation }) => `${label}: ${text(allocation)}`).join("; ") || null,
    "Vesting of each allocation": buckets.length === 0 ? null : FORMS.cmcUnlocks.file,
    "Changes to the schedule": changesOf(schedule),
    "Holdings of foundation and treasury": heldBy.flat().join("; ") || null,
    "Whether locked tokens can be staked": null,
    "Buyers of each private allocation, and prices": null,
  };
  return answerSheet(FORMS.transparency, answers);
}

function changesOf(schedule: Schedule): string {
  const count = hasUnlocks(schedule) ? schedule.adjustments.length : 0;
  return count === 0 ? "none" : `${count}, with their sources: ${FORMS.planAndFacts.file}`;
}

/** Answers CoinGecko's questions about a token on several chains: how it is issued on each, and which supply counts. */
export function chainsSheet(facts: Facts): Sheet {
  const { schedule, reading } = facts;
  const { chains, wallets } = reading.reading;
  const text = (amount: BaseUnits): string => chainText(facts, amount);
  const cells = chains.map(({ id, minted }) => {
    const chain = schedule.chains?.find((each) => each.id === id);
    const heldBy = (isIn: (wallet: Wallet) => boolean): BaseUnits =>
      sumOfBalances(
        walletsOf(schedule)
          .filter((wallet) => wallet.chain === id && isIn(wallet))
          .flatMap((wallet) => stateOf(wallet, wallets) ?? []),
      );
    const burned = heldBy(isBurnedForGood(schedule));
    const escrow = chain?.escrow ?? null;
    return [
      id,
      chain?.asset.text ?? "",
      escrow !== null
        ? `lock and mint; locked on ${escrow.chain} at ${escrow.address}`
        : id === NATIVE_CHAIN
          ? "source chain"
          : "issued on each chain, or burned on one and minted on another",
      text(minted),
      text(burned),
      escrow === null ? text(minted - burned) : "0",
      text(heldBy((wallet) => !isBurnedForGood(schedule)(wallet))),
    ];
  });
  const { total, held, circulating } = reading.amounts;
  const column = (index: number): string[] => cells.map((row) => row[index] ?? "");
  const sums = ["all chains", "", "", "", "", text(total), text(held)];
  return sheet(
    FORMS.coingeckoChains,
    [...cells, sums],
    [
      { what: "what counts of each chain is the total", parts: column(5), total: text(total) },
      {
        what: "circulating and the wallets of all chains are the total",
        parts: [text(circulating), ...column(6)],
        total: text(total),
      },
    ],
  );
}

function answerSheet(form: Sheet["form"], answers: Readonly<Record<string, string | null>>): Sheet {
  return sheet(
    form,
    (form.questions ?? []).map((question) => [question, answers[question] ?? ""]),
    [],
  );
}
