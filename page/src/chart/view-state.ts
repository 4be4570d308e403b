/** The reader's choices, which a share link contains. */
export interface View {
  readonly mode: "cumulative" | "monthly";
  readonly unit: "tokens" | "percent";
  readonly range: "1y" | "3y" | "all";
  /** The only displayed band, or null for all. */
  readonly bucket: string | null;
}

export const DEFAULT_VIEW: View = { mode: "cumulative", unit: "tokens", range: "all", bucket: null };

const CHOICES: { readonly [Name in "mode" | "unit" | "range"]: readonly View[Name][] } = {
  mode: ["cumulative", "monthly"],
  unit: ["tokens", "percent"],
  range: ["1y", "3y", "all"],
};

/** The view of a link's query; missing and invalid values are the defaults. */
export function parseView(query: string, bandIds: readonly string[]): View {
  const params = new URLSearchParams(query);
  const one = <T extends string>(name: string, allowed: readonly T[], otherwise: T): T =>
    allowed.find((value) => value === params.get(name)) ?? otherwise;
  return {
    mode: one("mode", CHOICES.mode, DEFAULT_VIEW.mode),
    unit: one("unit", CHOICES.unit, DEFAULT_VIEW.unit),
    range: one("range", CHOICES.range, DEFAULT_VIEW.range),
    bucket: bandIds.find((id) => id === params.get("bucket")) ?? null,
  };
}

/** The query of a view: only values that differ from the defaults, with a leading `?`; empty for the default view. */
export function viewQuery(view: View): string {
  const changed = (Object.keys(DEFAULT_VIEW) as (keyof View)[]).flatMap((name) => {
    const value = view[name];
    return value === null || value === DEFAULT_VIEW[name] ? [] : [[name, value]];
  });
  return changed.length === 0 ? "" : `?${new URLSearchParams(changed)}`;
}

/**
 * The first and the last step of a range: all, or the step in force now and the steps of the next years. Of a schedule
 * that has ended, its last years.
 */
export function stepsOf(range: View["range"], current: number, last: number): readonly [number, number] {
  if (range === "all") return [0, last];
  const count = range === "1y" ? 12 : 36;
  const to = Math.min(Math.max(current, 0) + count, last);
  return [Math.max(0, Math.min(Math.max(current, 0), to - count)), to];
}
