import { amountRow, type Capabilities, FIGURES } from "../../src/figures.ts";
import type { OpenApi } from "./openapi.ts";

/** Sentences of the whole document about an unlock schedule, and what they become for wallets alone. */
const SENTENCES: readonly (readonly [of: string, becomes: string])[] = [
  [
    "Circulating supply follows a published unlock schedule and steps once a month at 00:00:00 UTC.",
    "Circulating supply is the total less the project's wallets, read on chain.",
  ],
  ["Beside `/api/circulating-supply`, which takes them, these hold for every period", "These hold for every period"],
  ["`/api/unlock-schedule`, `/api/unlock-schedule.csv`, `/api/unlock-events.ics`, ", ""],
];
const PLANNED = " `/api/circulating-supply` is what the published schedule has unlocked.";

/** The document of wallets alone: a figure that has the amount of another is described as that one. */
export function documentOfWallets(document: OpenApi, capabilities: Capabilities): OpenApi {
  const { info, paths } = document;
  const { description = "", ...rest } = info;
  const words = SENTENCES.reduce((text, [sentence, becomes]) => replaced(text, sentence, becomes), description);
  const figures = FIGURES.flatMap((row) => {
    const [operation, other] = [
      row.path && paths[row.path]?.["get"],
      paths[amountRow(row, capabilities).path ?? ""]?.["get"],
    ];
    if (row.path === null || !operation || other === undefined || operation === other) return [];
    const { operationId, summary } = operation;
    return [[row.path, { get: { ...other, operationId, summary } }] as const];
  });
  const text = JSON.stringify({
    ...document,
    info: { ...rest, description: words },
    paths: { ...paths, ...Object.fromEntries(figures) },
  });
  return JSON.parse(replaced(text, JSON.stringify(PLANNED).slice(1, -1), "")) as OpenApi;
}

/** Throws when the sentence has changed: a document must not say what a deployment does not do. */
function replaced(text: string, sentence: string, by: string): string {
  if (!text.includes(sentence)) throw new Error(`openapi/public.json does not say: ${sentence}`);
  return text.replaceAll(sentence, by);
}
