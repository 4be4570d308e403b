import type { FiguresAt } from "../addresses/address-routes.ts";
import { amountRow, type Capabilities, type ChainFigureRow, FIGURES, whyNotOffered } from "../figures.ts";
import type { Outcome } from "../http/handler.ts";
import { figureIn, readingForFigures } from "../onchain/chain-figures.ts";
import { chainFigure } from "../onchain/figure-handlers.ts";
import type { Schedule } from "../supply/schedule.ts";
import { scheduledFigures } from "../supply/supply-handlers.ts";
import type { RequestTime } from "../swr/loader.ts";
import type { Copies } from "./copies.ts";
import type { ReadingSource } from "./page-document.ts";

/** Answers the figures of a registered body. Figures of one token on chain come from one reading. */
export function registeredFigures(schedule: Schedule, copies: Copies, capabilities: Capabilities): FiguresAt {
  const scheduled = scheduledFigures(schedule);
  const rowOf = (figure: string) => {
    const row = FIGURES.find(({ name }) => name === figure);
    if (row === undefined) throw new RangeError(`no figure ${figure}`);
    return amountRow(row, capabilities);
  };
  return async (wanted, context) => {
    const rows = wanted.map(({ figure }) => rowOf(figure));
    const chainRows = rows.filter((row): row is ChainFigureRow => row.source !== "schedule");
    const readingsOf = async (source: ChainFigureRow["source"]) =>
      sharedReading(
        schedule,
        chainRows.filter((row) => row.source === source && whyNotOffered(row, capabilities) === null),
        copies[source],
        context,
      );
    const readings = { native: await readingsOf("native"), stable: await readingsOf("stable") };
    return Promise.all(
      wanted.map(({ figure, form }): Outcome | Promise<Outcome> => {
        const row = rowOf(figure);
        const why = whyNotOffered(row, capabilities);
        if (why !== null) return { kind: "not_found", message: why };
        const from = row.source === "schedule" ? null : readings[row.source];
        const inForm =
          row.source === "schedule"
            ? scheduled[row.name]
            : from === null
              ? undefined
              : chainFigure(schedule, row, from);
        return inForm === undefined ? NO_CHAIN : inForm(form, context);
      }),
    );
  };
}

const NO_CHAIN: Outcome = { kind: "not_found", message: "This deployment reads no chain." };

/** Chooses one reading for all these figures, which every handler then reads; null: no figure needs it. */
async function sharedReading(
  schedule: Schedule,
  rows: readonly ChainFigureRow[],
  copy: ReadingSource | null,
  when: RequestTime,
): Promise<ReadingSource | null> {
  if (copy === null || rows.length === 0) return null;
  const newest = await copy.read(when);
  const reading =
    newest.kind === "cached"
      ? readingForFigures(newest, (value) => rows.map((row) => figureIn(value, row, schedule, when.nowMs)))
      : newest;
  return { read: async () => reading };
}
