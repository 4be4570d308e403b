import { FIGURES } from "../../src/figures.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { bareQuery } from "../../tools/lib/bare-query.ts";

const PATHS = FIGURES.flatMap(({ path }) => path ?? []).join("|");
/** Address or link of a bare figure in no given format. */
const ADDRESS = new RegExp(
  String.raw`(?<=https://HOST|href=")(${PATHS})(?:\?(?!\S*\bformat=)([^"\s${"`"}]*))?(?=["\s${"`"}]|$)`,
  "gm",
);

/** Gives the addresses and links of bare figures the query without which this token's figures are not served. */
export function withBareQueries(text: string, schedule: Schedule): string {
  const query = bareQuery(schedule);
  if (query === "") return text;
  return text.replace(ADDRESS, (_, path: string, others = "") => path + query + (others === "" ? "" : `&${others}`));
}
