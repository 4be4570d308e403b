import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyDocuments } from "../../page/build/documents.ts";
import { servedDocument } from "../../page/build/served-document.ts";
import type { AddressFile } from "../../src/addresses/registered-address.ts";
import { settingsOfFirstChain } from "../../src/families/token-chain.ts";
import { ALL_PARTS, type Conditions, conditionsOf, type Parts } from "../../tools/lib/parts.ts";
import { readAddresses } from "../../tools/schedule/addresses.ts";
import { buildSchedule } from "../../tools/schedule/build.ts";
import { readSchedule } from "../../tools/schedule/files.ts";
import { genesisSettings } from "../../tools/start/genesis-settings.ts";
import { CHECKOUT } from "./checkout.ts";
import type { Kind } from "./kinds.ts";
import { withSettings } from "./operator-files.ts";

/** Deployment against which the contract suite runs: a schedule and settings. */
export interface Edition {
  readonly name: string;
  readonly schedule: string;
  /** Folder of its registered addresses; absent: none. */
  readonly addresses?: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly parts: Parts;
  readonly kind: Kind;
}

const FIXTURES = join(import.meta.dirname, "..", "fixtures");

/** Edition with everything that `npm start` serves. */
export const EVERYTHING: Edition = {
  name: "everything",
  schedule: join(FIXTURES, "schedule", "native.json"),
  addresses: FIXTURES,
  settings: {},
  parts: ALL_PARTS,
  kind: "schedule and wallets",
};

/** Editions of other tokens, which serve less. */
export const EDITIONS: readonly Edition[] = [
  {
    name: "schedule",
    schedule: join(FIXTURES, "editions", "table.json"),
    settings: { NODE_URLS: "none", RATES_URL: "none" },
    parts: { ...ALL_PARTS, chain: false, node: false, stableToken: false, staking: false, yields: false },
    kind: "schedule, no chain",
  },
  {
    name: "chain",
    schedule: join(FIXTURES, "schedule", "examples", "celestia.json"),
    settings: { RATES_URL: "none", STAKING: "off" },
    parts: { ...ALL_PARTS, staking: false, yields: false },
    kind: "schedule",
  },
  {
    name: "wallets",
    schedule: join(FIXTURES, "editions", "wallets.json"),
    settings: { RATES_URL: "none", STAKING: "off" },
    parts: { ...ALL_PARTS, staking: false, yields: false },
    kind: "wallets alone",
  },
  {
    name: "unbounded",
    schedule: join(FIXTURES, "editions", "unbounded.json"),
    settings: { RATES_URL: "none", STAKING: "off" },
    parts: { ...ALL_PARTS, staking: false, yields: false },
    kind: "wallets, no maximum",
  },
];

export function hasIn({ parts, schedule }: Edition): Conditions {
  return conditionsOf(parts, readSchedule(schedule, settingsOfFirstChain(parts.chains[0])));
}

export function addressesIn({ addresses }: Pick<Edition, "addresses">): AddressFile | null {
  return addresses === undefined ? null : readAddresses(addresses);
}

/** Paths of the served API document, without the registered addresses. */
export function pathsOf(edition: Edition): string[] {
  return Object.keys(servedDocument(hasIn(edition)).paths);
}

/** Node that serves nothing and answers how often it was asked before. */
export const COUNTING_NODE = `let asked = 0;
export default { fetch: () => Response.json({ asked: asked++ }, { status: 500 }) };`;

/** Prepares the parts of an edition's edge besides its code: its schedule as a module, its documents, its settings. */
export function prepareEdition(edition: Edition) {
  const folder = join(CHECKOUT, "dist", "editions", edition.name);
  mkdirSync(join(folder, "page"), { recursive: true });
  const schedule = join(folder, "schedule.js");
  const addresses = addressesIn(edition);
  buildSchedule(edition.schedule, schedule, undefined, addresses);
  copyDocuments(join(folder, "page"), hasIn(edition), readSchedule(edition.schedule), {}, addresses?.entries);
  const configPath = join(folder, "wrangler.toml");
  const toml = readFileSync(join(CHECKOUT, "wrangler.toml"), "utf8");
  writeFileSync(configPath, withSettings(toml, edition.settings).replaceAll('"dist/page"', '"page"'));
  return {
    schedule,
    main: join(folder, "worker.js"),
    configPath,
    hasChain: edition.parts.chain,
    genesis: genesisSettings(readSchedule(edition.schedule), Date.now()),
  };
}
