import type { WordingDebt } from "./wording-rules.ts";

/**
 * Debts of folders whose comments and names still wait for their revision. A number may only fall: whoever repairs a
 * folder lowers its row, and deletes it at zero. Goes with the last row.
 */
export const WORDING_DEBTS: Readonly<Record<string, WordingDebt>> = {
  "page/build": { openings: 4, longSentences: 4, retiredNames: 18 },
  "page/src": { openings: 0, longSentences: 0, retiredNames: 81 },
  "page/view": { openings: 0, longSentences: 0, retiredNames: 4 },
  src: { openings: 8, longSentences: 0, retiredNames: 7 },
  "src/chain": { openings: 15, longSentences: 2, retiredNames: 0 },
  "src/compose": { openings: 3, longSentences: 1, retiredNames: 8 },
  "src/evm": { openings: 7, longSentences: 0, retiredNames: 9 },
  "src/gateway": { openings: 0, longSentences: 0, retiredNames: 5 },
  "src/home": { openings: 22, longSentences: 7, retiredNames: 28 },
  "src/onchain": { openings: 31, longSentences: 0, retiredNames: 180 },
  "src/supply": { openings: 12, longSentences: 2, retiredNames: 5 },
  tools: { openings: 14, longSentences: 1, retiredNames: 19 },
  "tools/api": { openings: 1, longSentences: 0, retiredNames: 3 },
  "tools/build": { openings: 1, longSentences: 0, retiredNames: 0 },
  "tools/deploy": { openings: 19, longSentences: 2, retiredNames: 18 },
  "tools/doctor": { openings: 9, longSentences: 0, retiredNames: 5 },
  "tools/evm": { openings: 1, longSentences: 1, retiredNames: 0 },
  "tools/history": { openings: 6, longSentences: 0, retiredNames: 1 },
  "tools/lib": { openings: 7, longSentences: 3, retiredNames: 2 },
  "tools/listing": { openings: 14, longSentences: 0, retiredNames: 22 },
  "tools/nodes": { openings: 17, longSentences: 0, retiredNames: 26 },
  "tools/schedule": { openings: 29, longSentences: 1, retiredNames: 25 },
  "tools/start": { openings: 4, longSentences: 2, retiredNames: 0 },
  "tools/trackers": { openings: 3, longSentences: 0, retiredNames: 0 },
};
