import type { ChainFamily } from "../../src/chain/asset.ts";
import type { FileHolding, ScheduleFile } from "../../src/supply/file/schedule-file.ts";
import type { ScheduleError } from "../../src/supply/file/schedule-result.ts";
import { NATIVE_CHAIN } from "../../src/supply/schedule.ts";
import { hasChecksum } from "../lib/eip55.ts";

/** Settings that hold an address, where the chain is an EVM chain. */
const ADDRESSES = ["NATIVE_ASSET", "STABLE_ASSET"];

/** What is wrong with the addresses that a person has put into the settings, besides their form. */
export function checksumProblems(settings: Readonly<Record<string, unknown>>): string[] {
  if (settings["CHAIN_FAMILY"] !== "evm") return [];
  return ADDRESSES.filter((name) => !hasChecksum(String(settings[name] ?? "").trim())).map(
    (name) => `${name} ${FAILS}`,
  );
}

const FAILS = "fails its checksum (EIP-55): a digit is mistyped, or the case of a letter";

/** The same of the addresses in a schedule file, whose first chain is of this family. */
export function checksumErrors(file: ScheduleFile, family: ChainFamily): ScheduleError[] {
  const { chains = [], wallets = [] } = file;
  const evm = new Set(chains.flatMap((chain) => (chain.family === "evm" ? [chain.id] : [])));
  if (family === "evm") evm.add(NATIVE_CHAIN);
  const placed = (path: string, holdings: readonly Pick<FileHolding, "chain" | "address">[]) =>
    holdings.map(({ chain, address }, index) => ({ chain, address, path: `${path}[${index}].address` }));
  const written = [
    ...(file.table === undefined ? file.buckets : []).flatMap(({ addresses = [] }, index) =>
      placed(`buckets[${index}].addresses`, addresses),
    ),
    ...placed("wallets", wallets),
    ...chains.flatMap(({ id, asset, escrow }, index) => [
      { chain: id, address: asset, path: `chains[${index}].asset` },
      ...(escrow === undefined ? [] : [{ ...escrow, path: `chains[${index}].escrow.address` }]),
    ]),
  ];
  return written.flatMap(({ chain, address, path }) =>
    !evm.has(chain) || hasChecksum(address) ? [] : [{ path, message: `${address} ${FAILS}` }],
  );
}
