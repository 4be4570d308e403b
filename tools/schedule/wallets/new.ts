import { tokenText } from "../../../src/chain/amount.ts";
import { NATIVE_CHAIN } from "../../../src/chain/holding.ts";
import { DEFAULT_FAMILY, FAMILY_NAMES } from "../../../src/families/family.ts";
import { EXIT, Refusal, textOptions } from "../../lib/command-line.ts";
import { counted } from "../../lib/counted.ts";
import type { ScheduleContext } from "../files.ts";
import { amountFlag, type TextFlags, wordFlag } from "../flags.ts";
import { decimalsFlag, FILE_OPTIONS, writeFile } from "../new.ts";
import { readWalletList } from "./list.ts";

export const WALLETS_OPTIONS = { ...FILE_OPTIONS, ...textOptions("wallets") };
export const WALLETS_USAGE = `new --wallets LIST.csv --symbol XYZ --decimals N --max-supply TOKENS|none [--out FILE]
      [--name NAME] [--publisher NAME] [--source URL]
      [--chain-family ${FAMILY_NAMES.join("|")} --chain-id N --asset TYPE|ADDRESS]
    writes a file of wallets alone, for a token without an unlock schedule; columns: address, label, category, chain`;

/** Writes a first schedule file of wallets alone from a list. */
export function newFromWallets(context: ScheduleContext, flags: TextFlags<keyof typeof WALLETS_OPTIONS>): string {
  const { symbol, decimals, wallets: path = "", "max-supply": maximum } = flags;
  const missing = [
    ...(symbol === undefined ? ["--symbol: missing; the token's ticker, such as XYZ"] : []),
    ...(decimals === undefined ? ["--decimals: missing; the token's decimals on its chain, such as 18"] : []),
    ...(maximum === undefined ? ["--max-supply: missing; the most that will ever exist, in tokens, or none"] : []),
  ];
  if (symbol === undefined || decimals === undefined || maximum === undefined)
    throw new Refusal([...missing, "all options: npm run schedule -- --help"], EXIT.unusable);
  const digits = decimalsFlag(decimals);
  const given = wordFlag({ "chain-family": flags["chain-family"] }, "chain-family", FAMILY_NAMES);
  const family = given ?? context.first?.family ?? DEFAULT_FAMILY;
  const wallets = readWalletList(path, { families: new Map([[NATIVE_CHAIN, family]]), listed: [] });
  const maxSupply = maximum === "none" ? null : tokenText(amountFlag("--max-supply", maximum, digits), digits);
  const { shown } = writeFile(context, { ...flags, symbol }, "Published wallets", { max_supply: maxSupply, wallets });
  const next = [
    ...(flags.source === undefined ? ["name where the wallets are published in sources"] : []),
    `npm run schedule -- check ${shown}`,
    `npm run schedule -- verify --node URL ${shown}, and compare with what you publish today`,
    `npm run rehearse -- ${shown}`,
    `mv ${shown} schedule/native.json; npm run schedule -- publish; commit; npm run deploy -- --help`,
  ];
  return [
    `${shown}: written; ${counted(wallets.length, "wallet")} of ${symbol}, ${maxSupply === null ? "without a maximum" : `at most ${maxSupply}`}; what circulates is the total less them`,
    "Next:",
    ...next.map((step, index) => `  ${index + 1}. ${step}`),
  ].join("\n");
}
