import type { Bucket, UnlockSchedule } from "../../src/supply/schedule.ts";

/** Part of the drawing in a colour of its own: one bucket, or the small ones together. */
export interface Band {
  readonly id: string;
  readonly label: string;
  /** Colour, as a custom property of the page or of the embed. */
  readonly color: string;
}

/** Number of colours. With more buckets the smallest share the last band. */
export const MAX_BANDS = 8;
const OTHERS = "others";

/** Returns the bands of a schedule. A schedule of totals alone has one band, `circulating`. */
export function bandsOf({ plan }: Pick<UnlockSchedule, "plan">): readonly Band[] {
  const groups = plan.kind === "buckets" ? groupsOf(plan.buckets) : [];
  return (groups.length > 0 ? groups : [{ id: "circulating", label: "Circulating supply" }]).map(
    ({ id, label }, band) => ({ id, label, color: id === OTHERS ? "var(--muted)" : `var(--series-${band})` }),
  );
}

/** Groups buckets by the band that shows them. */
export function groupsOf(buckets: readonly Bucket[]) {
  const bySize = [...buckets].sort((one, other) => Number(other.allocation - one.allocation));
  const large = buckets.length <= MAX_BANDS ? buckets : bySize.slice(0, MAX_BANDS - 1);
  const named = buckets
    .filter((bucket) => large.includes(bucket))
    .map(({ id, label }) => ({ id, label, members: new Set([id]) }));
  const rest = buckets.filter((bucket) => !large.includes(bucket));
  if (rest.length === 0) return named;
  return [
    ...named,
    { id: OTHERS, label: `${rest.length} other allocations`, members: new Set(rest.map(({ id }) => id)) },
  ];
}

/** Returns the colour of a bucket: its own band's, or that of the others. */
export function colorOf({ bands }: { readonly bands: readonly Band[] }, bucketId: string): string {
  return (bands.find(({ id }) => id === bucketId) ?? bands.at(-1))?.color ?? "";
}
