import type { FileError } from "../../src/base/file/file-errors.ts";
import { NATIVE_CHAIN } from "../../src/chain/holding.ts";
import type { ChainFamily } from "../../src/families/family.ts";
import type { FileHolding, ScheduleFile } from "../../src/supply/file/schedule-file.ts";
import { toolsOf } from "./families.ts";

/** Settings that contain an address on the first chain. */
const ADDRESSES = ["NATIVE_ASSET", "STABLE_ASSET"];

/** Lists the faults of addresses in the settings beyond their form. */
export function addressProblems(settings: Readonly<Record<string, unknown>>, family: ChainFamily): string[] {
  return ADDRESSES.flatMap((name) => {
    const problem = toolsOf(family).addressProblem(String(settings[name] ?? "").trim());
    return problem === null ? [] : [`${name} ${problem}`];
  });
}

/** Lists the faults of addresses in a schedule file whose first chain is of this family. */
export function addressErrors(file: ScheduleFile, family: ChainFamily): FileError[] {
  const { chains = [], wallets = [], share_prices: prices = [] } = file;
  const families = new Map([...chains.map((chain) => [chain.id, chain.family] as const), [NATIVE_CHAIN, family]]);
  const placed = (path: string, holdings: readonly FileHolding[]) =>
    holdings.flatMap((holding, index) =>
      (["address", "contract"] as const).flatMap((name) => {
        const { chain, [name]: address } = holding;
        return address === undefined ? [] : [{ chain, address, path: `${path}[${index}].${name}` }];
      }),
    );
  const written = [
    ...(file.buckets ?? []).flatMap(({ addresses = [] }, index) => placed(`buckets[${index}].addresses`, addresses)),
    ...placed("wallets", wallets),
    ...prices.map(({ chain, contract: address }, index) => ({
      chain,
      address,
      path: `share_prices[${index}].contract`,
    })),
    ...chains.flatMap(({ id, asset, escrow, circulating_view: compared }, index) => [
      { chain: id, address: asset, path: `chains[${index}].asset` },
      ...(escrow === undefined ? [] : [{ ...escrow, path: `chains[${index}].escrow.address` }]),
      ...(compared === undefined
        ? []
        : [{ chain: id, address: compared.contract, path: `chains[${index}].circulating_view.contract` }]),
    ]),
  ];
  return written.flatMap(({ chain, address, path }) => {
    const its = families.get(chain);
    const problem = its === undefined ? null : toolsOf(its).addressProblem(address);
    return problem === null ? [] : [{ path, message: `${address} ${problem}` }];
  });
}
