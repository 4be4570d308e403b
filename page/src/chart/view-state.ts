/** Reader's choices, which a share link contains. */
export interface View {
  readonly mode: "cumulative" | "monthly";
  readonly unit: "tokens" | "percent";
  readonly range: "1y" | "3y" | "all";
  /** Id of the only displayed band; null: all bands. */
  readonly bucket: string | null;
}

export const DEFAULT_VIEW: View = { mode: "cumulative", unit: "tokens", range: "all", bucket: null };

const CHOICES: { readonly [Name in "mode" | "unit" | "range"]: readonly View[Name][] } = {
  mode: ["cumulative", "monthly"],
  unit: ["tokens", "percent"],
  range: ["1y", "3y", "all"],
};

/** Parses the query of a link. A missing or invalid value is the default. */
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

/**
 * Writes the query of a view, with a leading `?`: only values that differ from the defaults; empty for the default
 * view.
 */
export function viewQuery(view: View): string {
  const changed = (Object.keys(DEFAULT_VIEW) as (keyof View)[]).flatMap((name) => {
    const value = view[name];
    return value === null || value === DEFAULT_VIEW[name] ? [] : [[name, value]];
  });
  return changed.length === 0 ? "" : `?${new URLSearchParams(changed)}`;
}

/**
 * Returns the first and the last step of a range: all steps, or those of its years from the current one on. If fewer
 * are left, it returns the last ones of the schedule.
 */
export function stepsOf(range: View["range"], current: number, last: number): readonly [number, number] {
  if (range === "all") return [0, last];
  const count = range === "1y" ? 12 : 36;
  const to = Math.min(Math.max(current, 0) + count, last);
  return [Math.max(0, Math.min(Math.max(current, 0), to - count)), to];
}
