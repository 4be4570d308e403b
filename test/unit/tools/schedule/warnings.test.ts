import { expect, test } from "vitest";
import { scheduleWarnings } from "../../../../tools/schedule/warnings.ts";
import { bucket, file, valid, wallet } from "../../supply/schedules.ts";

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

test.each<[string, object, object, number, string[]]>([
  ["that lists no wallet", {}, {}, BEFORE, ["team, treasury have locked tokens and list no wallet"]],
  [
    "beside one that does",
    { addresses: [wallet("0xa")] },
    {},
    BEFORE,
    ["treasury has locked tokens and lists no wallet"],
  ],
  ["of two that do", { addresses: [wallet("0xa")] }, { addresses: [wallet("0xb")] }, BEFORE, []],
  ["whose tokens are unlocked by now", {}, { addresses: [wallet("0xb")] }, AFTER, []],
  ["before the start", {}, {}, Date.parse("2025-01-01T00:00:00Z"), ["team, treasury have locked tokens"]],
])("check names each allocation with locked tokens %s", (_what, team, treasury, nowMs, expected) => {
  const buckets = [
    bucket({ id: "public", allocation: "500", genesis: "500" }),
    bucket({ id: "team", allocation: "300", genesis: "0", phases: [cliff("300")], ...team }),
    bucket({
      id: "treasury",
      allocation: "200",
      genesis: "0",
      phases: [{ kind: "never", amount: "200" }],
      ...treasury,
    }),
  ];
  const said = scheduleWarnings(valid(file({ buckets })), nowMs).filter(({ path }) => path === "buckets");
  expect(said.map(({ message }) => message)).toEqual(expected.map((text) => expect.stringContaining(text)));
});

test.each<[string, object, object, number, number[]]>([
  ["of the category of an allocation without one", { category: "investors" }, {}, BEFORE, [0]],
  ["of another category", { category: "treasury" }, {}, BEFORE, []],
  ["of an allocation whose tokens are unlocked by now", { category: "investors" }, {}, AFTER, []],
  ["beside an allocation that lists its own", { category: "investors" }, { addresses: [wallet("0xb")] }, BEFORE, []],
  ["in a file without the figure by chain and schedule", { category: "investors" }, { team: {} }, BEFORE, []],
])("check names a wallet whose tokens may be subtracted twice: %s", (_what, listed, changes, nowMs, expected) => {
  const { team = { addresses: [wallet("0xa")] }, ...investors } = changes as Record<string, object>;
  const locked = { allocation: "250", genesis: "0", phases: [cliff("250")] };
  const buckets = [
    bucket({ id: "public", allocation: "500", genesis: "500" }),
    bucket({ id: "team", category: "team", ...locked, ...team }),
    bucket({ id: "seed", category: "investors", ...locked, ...investors }),
  ];
  const wallets = [wallet("0xc", { category: "other", ...listed }), wallet("0xdead", { category: "burn" })];
  const said = scheduleWarnings(valid(file({ buckets, wallets })), nowMs).filter(({ message }) =>
    message.includes("twice"),
  );
  expect(said).toEqual(
    expected.map((index) => ({
      path: `wallets[${index}]`,
      message:
        "0xc is of the category of seed, which has locked tokens and lists no wallet: if it holds these, /api/circulating-supply-hybrid subtracts them twice; then list it in the addresses of seed",
    })),
  );
});
