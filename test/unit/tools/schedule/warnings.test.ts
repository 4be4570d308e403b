import { expect, test } from "vitest";
import { scheduleWarnings } from "../../../../tools/schedule/warnings.ts";
import { bucket, file, valid } from "../../supply/schedules.ts";

const BEFORE = Date.parse("2025-02-20T00:00:00Z");
const AFTER = Date.parse("2025-05-01T00:00:00Z");
const cliff = (amount: string) => ({ kind: "cliff", amount, month: 2 });

test.each<[string, string, object, number, string[]]>([
  ["nothing at the start", "0", cliff("1000"), BEFORE, ["0 is served until 2025-04-01"]],
  ["less than one token at the start", "0.5", cliff("999.5"), BEFORE, ["0 is served until 2025-04-01"]],
  ["nothing ever", "0", { kind: "never", amount: "1000" }, BEFORE, ["0 is served for good"]],
  ["one token at the start", "1", cliff("999"), BEFORE, []],
  ["nothing at a start long ago", "0", cliff("1000"), AFTER, []],
])("with %s, a warning of the figure 0 as long as there is one", (_what, genesis, phase, nowMs, expected) => {
  const schedule = valid(file({ buckets: [bucket({ genesis, phases: [phase] })] }));
  const said = scheduleWarnings(schedule, nowMs).filter(({ path }) => path === "start");
  expect(said.map(({ message }) => message)).toEqual(expected.map((text) => expect.stringContaining(text)));
});
