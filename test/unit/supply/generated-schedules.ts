import fc from "fast-check";
import { dayText } from "../../../src/base/utc.ts";
import { tokenText } from "../../../src/chain/amount.ts";
import { allSteps } from "../../../src/supply/circulating.ts";
import type { NaiveFile, NaivePhase } from "./naive.ts";
import { BURN, bucket, file, valid } from "./schedules.ts";

const day = fc
  .date({ min: new Date("2019-01-01"), max: new Date("2024-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
/** Four buckets of a genesis and three phases stay under 2^53 - 1 whole tokens, even with no decimals. */
const MAX_UNITS = 5n * 10n ** 14n;
const small = (max: number) => fc.integer({ min: 1, max });

type Shape = Omit<NaivePhase, "amount">;

const shape: fc.Arbitrary<Shape> = fc.oneof(
  fc.record({ kind: fc.constant("never" as const) }),
  fc.record({ kind: fc.constant("cliff" as const), month: fc.nat(40) }),
  fc.record({
    kind: fc.constant("installments" as const),
    first_month: fc.nat(20),
    count: small(30),
    every_months: small(4),
  }),
  fc.record({
    kind: fc.constant("installments" as const),
    first_day: fc.nat(400),
    count: small(20),
    every_days: small(100),
  }),
  fc
    .tuple(day, day)
    .map((days) => days.toSorted())
    .filter(([from, to]) => from !== to)
    .map(([from = "", to = ""]) => ({ kind: "linear" as const, from, to })),
);

export interface Sketch {
  readonly decimals: number;
  readonly start: string;
  readonly stepDay: number;
  readonly buckets: readonly { readonly genesis: bigint; readonly phases: readonly (readonly [Shape, bigint])[] }[];
}

export const sketch: fc.Arbitrary<Sketch> = fc.record({
  decimals: fc.constantFrom(0, 1, 8, 18),
  start: day,
  stepDay: fc.integer({ min: 1, max: 28 }),
  buckets: fc.array(
    fc.record({
      genesis: fc.bigInt({ min: 1n, max: MAX_UNITS }),
      phases: fc.array(fc.tuple(shape, fc.bigInt({ min: 0n, max: MAX_UNITS })), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

export type SketchedFile = Record<string, unknown> & NaiveFile;

/** The file of a sketch: allocations and maximum are the sums of its unlocks. */
export function fileOf({ decimals, start, stepDay, buckets }: Sketch): SketchedFile {
  const text = (amount: bigint) => tokenText(amount, decimals);
  const sums = buckets.map(({ genesis, phases }) => phases.reduce((sum, [, amount]) => sum + amount, genesis));
  const token = { symbol: "X", name: "X", decimals };
  const written = buckets.map(({ genesis, phases }, index) => ({
    ...bucket({ id: `b${index}`, allocation: text(sums[index] ?? 0n) }),
    id: `b${index}`,
    genesis: text(genesis),
    phases: phases.map(([phase, amount]) => ({ ...phase, amount: text(amount) })),
  }));
  return {
    ...file({ max_supply: text(sums.reduce((total, sum) => total + sum, 0n)) }),
    token,
    start,
    step_day: stepDay,
    buckets: written,
  };
}

/** The file of a sketch with a burn of one base unit in the month of one of its steps. */
export const withBurn = fc.tuple(sketch, fc.nat()).map(([sketched, pick]): SketchedFile => {
  const json = fileOf(sketched);
  const steps = allSteps(valid(json));
  const month = dayText(steps[pick % steps.length]?.effectiveFromMs ?? 0).slice(0, 7);
  const delta = `-${tokenText(1n, sketched.decimals)}`;
  return { ...json, adjustments: [{ ...BURN, month, bucket: "b0", delta }] };
});
