import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Family,
  MAXIMUM,
  MEMBERS,
  type NodeState,
  type NodesWorld,
  nodesWorld,
  STEP,
  UNIT,
  versionMs,
} from "./nodes-world.ts";

/** Behaviours of a node, with the change that begins each. */
const KINDS = {
  honest: () => ({}),
  lying: () => ({ says: (member: string) => (member === "treasury" ? UNIT : undefined) }),
  "lying a little of each wallet": () => ({
    says: (member: string, truth: bigint) => (member === "minted" ? undefined : truth + (STEP * 6n) / 10n),
  }),
  "lying and ahead": () => ({ says: (member: string) => (member === "treasury" ? UNIT : undefined), ahead: 20n }),
  ahead: () => ({ ahead: 20n }),
  silent: () => ({ says: (member: string) => (member === "treasury" ? ("silent" as const) : undefined) }),
  "silent about all": () => ({ says: () => "silent" as const }),
  "a little behind": () => ({ behindMs: 5_000 }),
  stopped: (nowMs: number) => ({ stoppedAtMs: nowMs }),
  "of long ago, as of now": () => ({ behindMs: 900_000, claimsNow: true }),
  down: () => ({ isDown: true }),
  throttled: () => ({ isThrottled: true }),
  elsewhere: () => ({ isElsewhere: true }),
} satisfies Readonly<Record<string, (nowMs: number) => Partial<NodeState>>>;
type Kind = keyof typeof KINDS;

/** Problem in health of a node that is absent in this way. */
const ABSENT = {
  down: "upstream_unreachable",
  throttled: "upstream_excluded",
  elsewhere: "upstream_wrong_chain",
  stopped: "upstream_outdated",
} as const satisfies Partial<Record<Kind, string>>;
const away = Object.keys(ABSENT) as (keyof typeof ABSENT)[];

interface Row {
  readonly nodes: readonly Kind[];
  /**
   * Accepted reports: confirmed by two; of one node alone within a step; of one node again a minute later; or nothing.
   * A first reading of one node alone waits.
   */
  readonly accepted: "confirmed" | "lone" | "repeated" | "nothing";
  readonly health: readonly string[];
  /** In the 503 after an hour. */
  readonly reason?: RegExp;
}

const BACK = "bring upstream-2 back, or take it out of NODE_URLS";
const LONE = new RegExp(`^only upstream-1 reports wallet 0xa1.+, more than a step from what was confirmed; ${BACK}$`);
const FIRST =
  /^only upstream-[12] reports .+, which no two nodes have confirmed yet; bring .+ back, or take (it|them) out of NODE_URLS$/;
const NONE =
  /^no chain node answers at a new .+: bring upstream-1 and upstream-2 back, or name another node in NODE_URLS$/;
const DISPUTED =
  /^the chain nodes disagree: upstream-\d and upstream-\d about .+; add another node, or take the wrong one out of NODE_URLS$/;
const DISAGREE = "nodes_disagree upstream-1 upstream-2";

/** The rule: the state of each configured node, what is accepted, what health says, what the 503 says. */
const TABLE: readonly Row[] = [
  // One node configured: its report, and a jump when it is repeated.
  { nodes: ["honest"], accepted: "confirmed", health: [] },
  { nodes: ["stopped"], accepted: "confirmed", health: [] },
  { nodes: ["ahead"], accepted: "confirmed", health: [] },
  { nodes: ["lying"], accepted: "repeated", health: [] },
  ...(["down", "throttled", "elsewhere"] as const).map(
    (kind): Row => ({
      nodes: [kind],
      accepted: "nothing",
      health: [`${ABSENT[kind]} upstream-1`],
      reason: /^no chain node answers at a new .+: bring upstream-1 back, or name another node in NODE_URLS$/,
    }),
  ),
  { nodes: ["silent about all"], accepted: "nothing", health: [], reason: /: bring upstream-1 back, or name another/ },
  // Two: what they report alike.
  { nodes: ["honest", "honest"], accepted: "confirmed", health: [] },
  { nodes: ["honest", "a little behind"], accepted: "confirmed", health: [] },
  { nodes: ["ahead", "honest"], accepted: "confirmed", health: [] },
  { nodes: ["stopped", "stopped"], accepted: "confirmed", health: ["chain_behind upstream-1"] },
  { nodes: ["lying", "honest"], accepted: "nothing", health: [DISAGREE], reason: DISPUTED },
  { nodes: ["lying and ahead", "honest"], accepted: "nothing", health: [DISAGREE], reason: DISPUTED },
  {
    nodes: ["of long ago, as of now", "honest"],
    accepted: "nothing",
    health: [DISAGREE],
    reason: /^the chain nodes disagree: upstream-1 and upstream-2 about time; add another node/,
  },
  ...away.flatMap((kind): Row[] => [
    {
      nodes: ["honest", kind],
      accepted: "lone",
      health: [`${ABSENT[kind]} upstream-2`, "one_word upstream-1"],
    },
    // The word of one is never served beyond the step, however long the other one is absent.
    { nodes: ["lying", kind], accepted: "nothing", health: [`${ABSENT[kind]} upstream-2`], reason: LONE },
    { nodes: ["lying and ahead", kind], accepted: "nothing", health: [`${ABSENT[kind]} upstream-2`], reason: LONE },
  ]),
  { nodes: ["stopped", "honest"], accepted: "lone", health: ["one_word upstream-2", "upstream_outdated upstream-1"] },
  { nodes: ["honest", "silent"], accepted: "lone", health: ["one_word upstream-1"] },
  { nodes: ["honest", "silent about all"], accepted: "lone", health: ["one_word upstream-1"] },
  { nodes: ["lying", "silent"], accepted: "nothing", health: [], reason: LONE },
  {
    nodes: ["down", "down"],
    accepted: "nothing",
    reason: NONE,
    health: ["upstream_unreachable upstream-1", "upstream_unreachable upstream-2"],
  },
  {
    nodes: ["silent about all", "silent about all"],
    accepted: "nothing",
    health: [],
    reason: /: bring upstream-1 and upstream-2 back, or name another node in NODE_URLS$/,
  },
  // Three: two of them, whatever the third one does.
  ...(Object.keys(KINDS) as Kind[]).map(
    (kind): Row => ({
      nodes: [kind, "honest", "honest"],
      accepted: "confirmed",
      health: [
        ...(kind in ABSENT ? [`${ABSENT[kind as keyof typeof ABSENT]} upstream-1`] : []),
        ...(kind.startsWith("lying") ? ["nodes_disagree upstream-1"] : []),
      ],
    }),
  ),
  { nodes: ["honest", "lying and ahead", "honest"], accepted: "confirmed", health: ["nodes_disagree upstream-2"] },
  {
    nodes: ["honest", "down", "elsewhere"],
    accepted: "lone",
    health: ["one_word upstream-1", "upstream_unreachable upstream-2", "upstream_wrong_chain upstream-3"],
  },
  {
    nodes: ["lying", "down", "throttled"],
    accepted: "nothing",
    health: ["upstream_excluded upstream-3", "upstream_unreachable upstream-2"],
    reason: /bring upstream-2 and upstream-3 back, or take them out of NODE_URLS$/,
  },
  {
    nodes: ["lying", "honest", "down"],
    accepted: "nothing",
    reason: DISPUTED,
    health: [DISAGREE, "upstream_unreachable upstream-3"],
  },
];

function become(world: NodesWorld, { nodes }: Row): void {
  for (const [index, kind] of nodes.entries()) Object.assign(world.heal(index), KINDS[kind](world.time.nowMs));
}

const codesOf = async (world: NodesWorld) =>
  (await world.health()).map(({ code, subject }) => `${code} ${subject}`).sort();

/** The last of some readings in which the state lasts. */
async function readFor(world: NodesWorld, seconds: number) {
  let found = await world.read(seconds);
  for (let reading = 0; reading < 3; reading += 1) found = await world.read(40);
  return found;
}

const HOUR = 3_600;
const BEGINS = {
  "at the first reading": async () => undefined,
  "after readings": async (world: NodesWorld) => void (await world.read()),
  "after an outage of two hours": async (world: NodesWorld, { nodes }: Row) => {
    await world.read();
    for (const [index] of nodes.entries()) world.node(index).isDown = true;
    expect(typeof (await world.read(2 * HOUR))).toBe("string");
  },
} as const;

describe.each(["move", "evm"] as const satisfies Family[])("on a chain of the family %s", (family) => {
  describe.each(Object.keys(BEGINS) as (keyof typeof BEGINS)[])("%s", (when) => {
    test.each(TABLE.map((row) => [row.nodes.join(", "), row] as const))("%s", async (_nodes, row) => {
      const world = nodesWorld(family, row.nodes.length);
      await BEGINS[when](world, row);
      const isFirst = when === "at the first reading";
      become(world, row);
      const found = await readFor(world, 90);
      const waits = isFirst && row.accepted === "lone";
      if (row.accepted === "nothing" || waits) {
        expect(found).toEqual(expect.any(String));
        const isLone = waits || (isFirst && String(row.reason).includes("out of NODE_URLS") && row.reason !== DISPUTED);
        expect(await world.read(HOUR + 60)).toMatch(isLone ? FIRST : (row.reason ?? /no reason/));
        expect(await codesOf(world)).toEqual(
          expect.arrayContaining(row.health.filter((code) => !code.startsWith("one_word"))),
        );
        return;
      }
      if (typeof found === "string") throw new Error(found);
      const isLie = row.accepted === "repeated";
      for (const member of MEMBERS)
        expect([member, found.amounts.get(member)]).toEqual([
          member,
          isLie && member === "treasury" ? UNIT : world.truthOf(member, found.version),
        ]);
      expect(await codesOf(world)).toEqual([...row.health].sort());
      const isConfirmed = row.accepted === "confirmed" && row.nodes.length > 1;
      expect(found.confirmedBy.length > 1).toBe(isConfirmed || row.nodes.includes("silent"));
    });
  });
});

describe.each(["move", "evm"] as const)("the report of one of two, on a chain of the family %s", (family) => {
  const lonely = async () => {
    const world = nodesWorld(family, 2);
    await world.read();
    world.node(1).isDown = true;
    return world;
  };
  const accepted = (found: Awaited<ReturnType<NodesWorld["read"]>>) => typeof found !== "string";

  test("is accepted within a step of what two confirmed, and steps do not add up", async () => {
    const world = await lonely();
    const lies = (change: bigint) => {
      world.node(0).says = (member, truth) => (member === "team" ? truth + change : undefined);
    };
    lies(STEP - 1_000_000n);
    expect(accepted(await world.read())).toBe(true);
    lies(2n * (STEP - 1_000_000n));
    for (let reading = 0; reading < 5; reading += 1) expect(accepted(await world.read())).toBe(false);
    lies(-STEP + 1_000_000n);
    expect(accepted(await world.read())).toBe(true);
  });

  test("moves no sum by more than a step: what circulates neither", async () => {
    const world = await lonely();
    const change = (STEP * 6n) / 10n;
    world.node(0).says = (member, truth) => (member === "minted" ? undefined : truth - change);
    expect(await world.read()).toMatch(/^only upstream-1 reports .*wallet 0x.+, wallet 0x.+, more than a step/);
    // Control: a transfer between two wallets moves no sum.
    world.node(0).says = (member, truth) =>
      member === "minted" ? undefined : member === "team" ? truth + change : truth - change;
    expect(accepted(await world.read())).toBe(true);
  });

  test("may lack what the schedule unlocked of a wallet since two confirmed it", async () => {
    const world = await lonely();
    const leaves = () => {
      world.truth["treasury"] = (world.truth["treasury"] ?? 0n) - 100_000_000n * UNIT;
    };
    // On the first of December 100,000,000 unlock.
    await world.read(17 * 86_400);
    leaves();
    expect(accepted(await world.read())).toBe(true);
    leaves();
    expect(accepted(await world.read())).toBe(false);
  });

  test("of a wallet that is newly listed waits for the other one", async () => {
    const before = nodesWorld(family, 2, { members: ["minted", "treasury"] });
    await before.read();
    const world = nodesWorld(family, 2, { time: before.time, stored: before.state });
    world.node(1).isDown = true;
    expect(await world.read()).toMatch(
      /^only upstream-1 reports wallet 0xb2.+, which no two nodes have confirmed yet; bring upstream-2 back/,
    );
    world.node(1).isDown = false;
    expect(await world.read()).toMatchObject({ confirmedBy: ["upstream-1", "upstream-2"] });
  });

  test("has what one configured node reported as its reference", async () => {
    const before = nodesWorld(family, 1);
    await before.read();
    const world = nodesWorld(family, 2, { time: before.time, stored: before.state });
    world.node(1).isDown = true;
    expect(await world.read()).toMatchObject({ confirmedBy: ["upstream-1"] });
    expect(await codesOf(world)).toEqual(["one_word upstream-1", "upstream_unreachable upstream-2"]);
    // Taken out of the settings, the rule for one configured node holds.
    const alone = nodesWorld(family, 1, { time: before.time, stored: world.state });
    alone.node(0).says = (member) => (member === "minted" ? MAXIMUM : undefined);
    expect(accepted(await alone.read())).toBe(false);
    expect(accepted(await alone.read())).toBe(true);
    expect(await codesOf(alone)).toEqual([]);
  });

  test("is measured by what two confirmed last, also far from what they confirmed before", async () => {
    const world = nodesWorld(family, 2);
    await world.read();
    world.truth["minted"] = 700_000_000n * UNIT;
    expect(accepted(await world.read())).toBe(true);
    world.node(1).isDown = true;
    expect(accepted(await world.read())).toBe(true);
  });
});

describe.each(["move", "evm"] as const)(
  "a chain of the family %s that pauses for longer than nodes may be behind",
  (family) => {
    test.each([2, 3])(
      "of %i nodes one claims a head further on: it excludes nobody, and decides nothing",
      async (count) => {
        for (const isFirst of [true, false]) {
          const world = nodesWorld(family, count);
          if (!isFirst) await world.read();
          world.pause();
          await world.time.pass(90_000);
          Object.assign(world.node(count - 1), KINDS["lying and ahead"]());
          for (let reading = 0; reading < 5; reading += 1) {
            const found = await world.read();
            if (count === 3) expect(found).toMatchObject({ confirmedBy: ["upstream-1", "upstream-2"] });
            else expect(found).toEqual(expect.any(String));
          }
          const codes = await codesOf(world);
          if (count === 3) expect(codes).toEqual(["chain_behind upstream-1"]);
          world.resume();
          world.heal(count - 1);
          expect(await world.read()).toMatchObject({ confirmedBy: ["upstream-1", "upstream-2"] });
          expect(await codesOf(world)).toEqual([]);
        }
      },
    );
  },
);

const KIND = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Kind>("honest") },
  { weight: 3, arbitrary: fc.constantFrom(...(Object.keys(KINDS) as Kind[])) },
);
const STEPS = fc.array(
  fc.record({
    nodes: fc.tuple(KIND, KIND, KIND),
    seconds: fc.constantFrom(5, 31, 61, 200, HOUR + 100),
    isPaused: fc.boolean(),
    burns: fc.option(fc.constantFrom(1n, 5n, 50n), { nil: 0n, freq: 4 }),
  }),
  { minLength: 2, maxLength: 8 },
);
const SOUND: readonly Kind[] = ["honest", "a little behind"];

describe.each(["move", "evm"] as const)("nodes of any kinds, changing, on a chain of the family %s", (family) => {
  test.each([1, 2, 3])(
    "of %i: nothing is served beyond a step of what two confirmed; two honest ones are",
    async (count) => {
      const seen = { confirmed: 0, lone: 0, nothing: 0, sound: 0 };
      await fc.assert(
        fc.asyncProperty(STEPS, async (steps) => {
          const world = nodesWorld(family, count);
          const confirmed = new Map<string, bigint>();
          let heldMs = 0;
          /** Holds an accepted reading against what was reported in it. */
          const hold = (found: Awaited<ReturnType<NodesWorld["read"]>>) => {
            if (typeof found === "string") seen.nothing += 1;
            if (typeof found === "string" || found.readAtMs === heldMs) return;
            heldMs = found.readAtMs;
            let moved = 0n;
            for (const [member, amount] of found.amounts) {
              const reports = world.reported.filter(
                (each) => each.member === member && each.version === found.version && each.atMs >= heldMs,
              );
              const alike = new Set(reports.filter(({ value }) => value === amount).map(({ node }) => node));
              const unlike = new Set(reports.filter(({ value }) => value !== amount).map(({ node }) => node));
              expect([member, alike.size > 0]).toEqual([member, true]);
              seen[alike.size > 1 ? "confirmed" : "lone"] += 1;
              if (count === 1) continue;
              expect([member, alike.size > unlike.size]).toEqual([member, true]);
              if (alike.size > 1) {
                confirmed.set(member, amount);
                continue;
              }
              const change = amount - (confirmed.get(member) ?? expect.fail(`${member} was never confirmed`));
              expect([member, change <= STEP && change >= -STEP]).toEqual([member, true]);
              moved += member === "minted" ? change : -change;
            }
            expect(moved <= STEP && moved >= -STEP).toBe(true);
          };
          for (const { nodes, seconds, isPaused, burns } of steps) {
            if (isPaused) world.pause();
            else world.resume();
            for (const [index, kind] of nodes.slice(0, count).entries())
              Object.assign(world.heal(index), KINDS[kind](world.time.nowMs));
            world.truth["minted"] = (world.truth["minted"] ?? 0n) - burns * UNIT * 1_000_000n;
            for (const after of [seconds, 61, 61]) hold(await world.read(after));
            const sound = nodes.slice(0, count).filter((kind) => SOUND.includes(kind));
            if (count < 2 || sound.length < 2) continue;
            seen.sound += 1;
            const found = await world.read(61);
            hold(found);
            if (typeof found === "string") throw new Error(found);
            for (const member of MEMBERS)
              expect([member, found.amounts.get(member)]).toEqual([member, world.truthOf(member, found.version)]);
            const behindMs = world.newestMs() - world.timeOf(found.version);
            expect(behindMs).toBeLessThan({ move: 10_000, evm: 60_000 }[family] + 30_000 + versionMs[family]);
          }
        }),
        { numRuns: 60 },
      );
      // Control: every outcome occurred.
      expect(seen.nothing).toBeGreaterThan(20);
      expect(seen.lone).toBeGreaterThan(20);
      if (count > 1) expect(Math.min(seen.confirmed, seen.sound)).toBeGreaterThan(20);
    },
    120_000,
  );
});
