/** The reader's choices, which a share link contains. */
export interface View {
  readonly mode: "cumulative" | "monthly";
  readonly unit: "tokens" | "percent";
  readonly range: "1y" | "3y" | "all";
  /** The only displayed bucket, or null for all. */
  readonly bucket: string | null;
}

export const DEFAULT_VIEW: View = { mode: "cumulative", unit: "tokens", range: "all", bucket: null };

const MODES: readonly View["mode"][] = ["cumulative", "monthly"];
const UNITS: readonly View["unit"][] = ["tokens", "percent"];
const RANGES: readonly View["range"][] = ["1y", "3y", "all"];

/** The view of a link's query; missing and invalid values are the defaults. */
export function parseView(query: string, bucketIds: readonly string[]): View {
  const params = new URLSearchParams(query);
  const one = <T extends string>(name: string, allowed: readonly T[], otherwise: T): T =>
    allowed.find((value) => value === params.get(name)) ?? otherwise;
  return {
    mode: one("mode", MODES, DEFAULT_VIEW.mode),
    unit: one("unit", UNITS, DEFAULT_VIEW.unit),
    range: one("range", RANGES, DEFAULT_VIEW.range),
    bucket: bucketIds.find((id) => id === params.get("bucket")) ?? null,
  };
}

/** The query of a view: only values that differ from the defaults, with a leading `?`; empty for the default view. */
export function viewQuery(view: View): string {
  const params = new URLSearchParams();
  if (view.mode !== DEFAULT_VIEW.mode) params.set("mode", view.mode);
  if (view.unit !== DEFAULT_VIEW.unit) params.set("unit", view.unit);
  if (view.range !== DEFAULT_VIEW.range) params.set("range", view.range);
  if (view.bucket !== null) params.set("bucket", view.bucket);
  const query = params.toString();
  return query === "" ? "" : `?${query}`;
}

const YEAR_SECONDS = 365.25 * 86_400;

/** The interval of a range in seconds: around now and inside the schedule. */
export function rangeOf(
  range: View["range"],
  steps: readonly { readonly atSeconds: number }[],
  nowSeconds: number,
): readonly [number, number] {
  const first = steps[0]?.atSeconds ?? nowSeconds;
  const last = Math.max(steps.at(-1)?.atSeconds ?? nowSeconds, first) + YEAR_SECONDS / 12;
  if (range === "all") return [first, last];
  const half = (range === "1y" ? 1 : 3) * (YEAR_SECONDS / 2);
  const middle = Math.min(Math.max(nowSeconds, first + half), Math.max(last - half, first + half));
  return [Math.max(first, middle - half), Math.min(last, middle + half)];
}
