import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { parseArguments } from "../../../tools/deploy/arguments.ts";
import { carryOut } from "../../../tools/deploy/carry-out.ts";
import type { Figures } from "../../../tools/deploy/figure-changes.ts";
import type { Platform, VersionShare } from "../../../tools/deploy/platform.ts";
import { publishedRecord, settleKilledDeployment } from "../../../tools/deploy/record.ts";
import type { CheckResult } from "../../../tools/doctor/finding.ts";
import type { Target } from "../../../tools/doctor/probe.ts";
import { Refusal } from "../../../tools/lib/command-line.ts";

const ADDRESS = "https://e.example";
const CLASSES = ["LimiterShard", "Shield"];
const NEXT = "Next: remove the cause and run the same command again.";
const WRONG_FIGURE: CheckResult = { name: "figures", isOfVersion: true, is: "", problems: ["not digits"] };
const NODE_IS_DOWN: CheckResult = { name: "nodes", isOfVersion: false, is: "", problems: ["/v1 answers 503"] };
const RESTORED = "schedule/published.csv and published.json are as before.";

/** Figures of a version with an unlock schedule. */
const UNLOCKS: Figures = new Map([["/api/unlock-schedule", "served"]]);

interface Given {
  /** The version that serves; null: this is the first deployment. */
  readonly before?: string | null;
  /** The classes that it binds. */
  readonly classes?: readonly string[];
  readonly words?: readonly string[];
  /** Another command has written the record since. */
  readonly isRewritten?: boolean;
  /** Results of the doctor's checks. */
  readonly found?: readonly CheckResult[];
  /** Bare figures of the version before and of the new one. */
  readonly figures?: readonly [live: Figures, next: Figures];
  /** Called at each call of the platform, and at the checks; throws where that fails. */
  readonly fault?: (call: string, world: World) => void;
  /** Called likewise before and after each call has its effect; what never resolves is a command that was killed. */
  readonly pausing?: (call: string, world: World) => Promise<void>;
  /** The platform does not say what is live. */
  readonly isSilent?: boolean;
  /** Time from which the new version answers at its address, in milliseconds after the start. */
  readonly answersAtMs?: number;
}

interface World {
  /** The newest first. */
  readonly deployments: (readonly VersionShare[])[];
  readonly printed: string[];
  /** Targets of the doctor's checks, and the live version at that time. */
  readonly examined: { readonly target: Target; readonly live: string }[];
  readonly interruption: AbortController;
  readonly isRecorded: boolean;
  /** Paths of the intent and the record. */
  readonly paths: { readonly intent: string; readonly record: string };
  triggers: number;
  /** Calls of the platform. */
  readonly calls: string[];
}

/** A platform in memory: what `new` is, this deployment has uploaded. */
function world(given: Given) {
  const {
    before = "old",
    classes = CLASSES,
    words = [],
    isRewritten = false,
    found = [],
    figures = [UNLOCKS, UNLOCKS],
    fault = () => undefined,
    pausing = async () => undefined,
    isSilent = false,
    answersAtMs = 0,
  } = given;
  const deployments: (readonly VersionShare[])[] = before === null ? [] : [[{ id: before, percentage: 100 }]];
  const printed: string[] = [];
  const interruption = new AbortController();
  let nowMs = 0;
  const folder = mkdtempSync(join(tmpdir(), "carry-out-"));
  const paths = { intent: join(folder, "intent.json"), record: join(folder, "record") };
  const seen: World = {
    deployments,
    printed,
    examined: [],
    interruption,
    triggers: 0,
    calls: [],
    paths,
    get isRecorded() {
      return existsSync(paths.record) && readFileSync(paths.record, "utf8") === "new";
    },
  };
  const at = async (call: string) => {
    seen.calls.push(call);
    await pausing(call, seen);
    interruption.signal.throwIfAborted();
    fault(call, seen);
    interruption.signal.throwIfAborted();
  };
  const refusedUpload = async (call: string) => {
    try {
      await at(call);
      return null;
    } catch (cause) {
      if (interruption.signal.aborted) throw cause;
      return cause instanceof Error ? cause.message : "";
    }
  };
  const platform: Platform = {
    name: "edge",
    message: "ours",
    deployment: async () => {
      if (isSilent) throw new Refusal(["an outage"]);
      return deployments[0] ?? null;
    },
    classesOf: async () => [...classes],
    isOurs: async (id) => id === "new",
    upload: async () => {
      const failure = await refusedUpload("upload");
      await pausing("uploaded", seen);
      return { id: failure === null ? "new" : null, failure };
    },
    deploy: async () => {
      deployments.unshift([{ id: "new", percentage: 100 }]);
      const failure = await refusedUpload("deploy");
      return { id: failure === null ? "new" : null, failure };
    },
    split: async (shares) => {
      await at("split");
      deployments.unshift(shares);
      await pausing("has split", seen);
    },
    applyTriggers: async () => {
      await at("triggers");
      seen.triggers += 1;
      return [];
    },
    rollBack: async (id) => {
      await at("rollBack");
      deployments.unshift([{ id, percentage: 100 }]);
      await pausing("rolled back", seen);
    },
    dryRun: async () => undefined,
  };
  const options = parseArguments(["--env", "staging", "--address", ADDRESS, ...words], {});
  const record = publishedRecord(paths.intent, () => [{ path: paths.record, text: "new" }]);
  const exports = Object.fromEntries(CLASSES.map((name) => [name, {}]));
  const run = () =>
    carryOut({
      platform,
      config: { exports },
      options,
      before,
      stepPercent: 1,
      signal: interruption.signal,
      record: isRewritten ? { ...record, restore: () => false, complete: () => false } : record,
      ports: {
        // The version that answers is the one asked for, else the one that serves most.
        fetch: async (_input, init) => {
          const asked = new Headers(init?.headers).get("Cloudflare-Workers-Version-Overrides");
          const [most] = [...(deployments[0] ?? [])].sort((a, b) => b.percentage - a.percentage);
          const answering = asked === null ? most?.id : "new";
          return Response.json({ version_id: answering === "new" && nowMs < answersAtMs ? "none" : answering });
        },
        now: () => nowMs,
        pause: async (milliseconds) => {
          nowMs += milliseconds;
        },
        figures: async ({ override }) => {
          await at("figures");
          const isNext = override !== null || (deployments[0] ?? []).every(({ id }) => id === "new");
          return figures[isNext ? 1 : 0];
        },
        examine: async (target) => {
          await at("check");
          seen.examined.push({ target, live: live(seen) });
          return found;
        },
        print: (line) => void printed.push(line),
      },
    });
  return { seen, run };
}

const live = ({ deployments }: World): string =>
  (deployments[0] ?? []).map(({ id, percentage }) => `${id}@${percentage}`).join();
const refuse = (message: string) => {
  throw new Refusal([message]);
};
const failing =
  (failed: string, message: string): NonNullable<Given["fault"]> =>
  (call) =>
    call === failed && refuse(message);

async function failed(given: Given) {
  const { run, seen } = world(given);
  const {
    text: last,
    exitCode,
    members,
  } = await run().catch((cause: Refusal) => ({
    text: cause.message,
    exitCode: cause.exitCode,
    members: cause.members,
  }));
  return { seen, last, exitCode, members, live: live(seen), isRecorded: seen.isRecorded };
}

describe("with a version that serves", () => {
  test.each([
    [["--env", "staging"], [], "npm run deploy -- --env production"],
    [["--env", "production"], [], "the forms of trackers (https://e.example/docs/trackers)"],
    [["--env", "production"], [NODE_IS_DOWN], "repair what failed, then npm run doctor -- https://e.example"],
  ])("after %j and %j what follows is not what was just done", async (words, found, next) => {
    const { text } = await world({ words, found }).run();
    expect(text.split(" Next: ")[1]).toBe(next);
  });

  test("the new one is checked alone before it serves", async () => {
    const { run, seen } = world({});
    expect(await run()).toEqual({
      text: expect.stringContaining("deployed and checked: https://e.example: version new, before it old; commit"),
      exitCode: 0,
      members: {
        address: ADDRESS,
        version_id: "new",
        previous_version_id: "old",
        failed_checks: null,
        is_record_changed: true,
      },
    });
    const target = { address: ADDRESS, versionId: "new", override: 'edge="new"' };
    expect(seen.examined).toEqual([{ target, live: "old@100,new@0" }]);
    expect(seen.deployments.map((shares) => shares.at(-1)?.percentage)).toEqual([100, 0, 100]);
    expect([seen.triggers, live(seen), seen.isRecorded]).toEqual([1, "new@100", true]);
  });

  test("a problem of the version stops it; one of nodes, time or zone is printed", async () => {
    const wrong = await failed({ found: [WRONG_FIGURE, NODE_IS_DOWN] });
    expect([wrong.live, wrong.isRecorded]).toEqual(["old@100", false]);
    expect(wrong.last).toMatch(
      /^version new fails its checks at https:\/\/e.example: figures; it was taken back. Live now/,
    );
    const right = await failed({ found: [{ ...WRONG_FIGURE, problems: [] }, NODE_IS_DOWN] });
    expect([right.live, right.exitCode, wrong.exitCode], "live, but red; refused").toEqual(["new@100", 4, 1]);
    expect(right.last).toContain("deployed, but 1 of 2 checks fail (nodes): https://e.example: version new, before it");
    expect(right.seen.printed).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^ok .*\nFAIL +nodes +\/v1 answers 503\n1 of 2 checks passed\.$/s),
        "not caused by this version, so the deployment continues: nodes",
      ]),
    );
  });

  const MOVED: Given["figures"] = [
    new Map([...UNLOCKS, ["/api/circulating-supply-on-chain", "482500000"]]),
    new Map([...UNLOCKS, ["/api/circulating-supply-on-chain", "592500000"]]),
  ];
  const CHANGE =
    "figures change by more than SUPPLY_STEP_PERCENT (1 %): /api/circulating-supply-on-chain is 482500000 and would be 592500000 (+22.8 %); if that is intended, deploy with --accept-change";

  test("one that moves a published figure never serves, unless that is accepted", async () => {
    const refused = await failed({ figures: MOVED });
    expect([refused.live, refused.isRecorded, refused.exitCode]).toEqual(["old@100", false, 1]);
    expect(refused.members).toEqual({ version_id: "new", previous_version_id: "old", is_live_known: true });
    expect(refused.last).toContain(`${CHANGE}; it was taken back. Live now: version old (as before) at 100 %.`);
    const accepted = await failed({ figures: MOVED, words: ["--accept-change"] });
    expect([accepted.live, accepted.exitCode]).toEqual(["new@100", 0]);
    expect(accepted.seen.printed.join()).toContain("a published figure changes: /api/circulating-supply-on-chain is");
  });

  test.each([
    ["wallets alone where an unlock schedule is live", ["served", null], "the new one wallets alone"],
    ["an unlock schedule where wallets alone are live", [null, "served"], "the new one an unlock schedule"],
  ] as const)("%s never serves, unless that is asked for by name", async (_what, [now, then], says) => {
    const kinds: Given["figures"] = [
      new Map([["/api/unlock-schedule", now]]),
      new Map([["/api/unlock-schedule", then]]),
    ];
    const refused = await failed({ figures: kinds, words: ["--accept-change"] });
    expect([refused.live, refused.exitCode]).toEqual(["old@100", 1]);
    expect(refused.last).toContain(says);
    expect(refused.last).toContain("deploy with --change-kind");
    const changed = await failed({ figures: kinds, words: ["--change-kind"] });
    expect([changed.live, changed.exitCode]).toEqual(["new@100", 0]);
    const same: Given["figures"] = [new Map([["/api/unlock-schedule", now]]), new Map([["/api/unlock-schedule", now]])];
    expect((await failed({ figures: same })).live).toBe("new@100");
  });

  test.each([
    ["live", [new Map(), UNLOCKS]],
    ["new", [UNLOCKS, new Map()]],
  ] satisfies [string, Given["figures"]][])(
    "a %s version whose kind is not known gets a remedy of its own",
    async (which, figures) => {
      const refused = await failed({ figures });
      expect([refused.live, refused.exitCode]).toEqual(["old@100", 1]);
      expect(refused.last).toContain(
        `/api/unlock-schedule of the ${which} version did not answer, so it is not known whether the kind stays; deploy again when it answers, or without that knowledge with --change-kind`,
      );
      expect(refused.last).not.toContain("if that is intended");
      expect((await failed({ figures, words: ["--change-kind"] })).live).toBe("new@100");
    },
  );

  test("where it serves at once it is reported too, and taken back if that was requested", async () => {
    const changed = { classes: ["LimiterShard"], figures: MOVED };
    const red = await failed(changed);
    expect([red.live, red.exitCode]).toEqual(["new@100", 4]);
    expect(red.last).toContain(CHANGE);
    const back = await failed({ ...changed, words: ["--rollback-on-failure"] });
    expect([back.live, back.isRecorded, back.exitCode]).toEqual(["old@100", false, 1]);
  });

  test("of one that serves at once the last line repeats what fails", async () => {
    const found = await failed({ classes: ["LimiterShard"], found: [NODE_IS_DOWN] });
    expect([found.live, found.exitCode, found.isRecorded]).toEqual(["new@100", 4, true]);
    expect(found.last).toContain("deployed, but 1 of 1 checks fail (nodes): https://e.example");
  });

  test("a change of the declared objects serves at once", async () => {
    const { run, seen } = world({ classes: ["LimiterShard"] });
    await run();
    expect(seen.printed).toContainEqual(expect.stringContaining("the declared objects change"));
    expect([seen.deployments.length, live(seen)]).toEqual([2, "new@100"]);
  });

  test.each([
    ["upload", "the upload failed", "Nothing was uploaded."],
    ["split", "the platform refused new at 0 %", "Version new is uploaded and serves nobody."],
    ["triggers", "cron triggers were not all applied; it was taken back", "Version new is uploaded and serves nobody."],
    ["check", "the network failed; it was taken back", "Version new is uploaded and serves nobody."],
  ])("where the %s fails, the one before stays, and the record is as before", async (call, reason, upload) => {
    const found = await failed({ fault: failing(call, reason.split(";")[0] ?? "") });
    expect([found.live, found.isRecorded]).toEqual(["old@100", false]);
    expect(found.last).toBe(`${reason}. Live now: version old (as before) at 100 %. ${upload} ${RESTORED} ${NEXT}`);
  });

  test("where the record cannot be put back, it says so", async () => {
    const found = await failed({ isRewritten: true, fault: failing("upload", "the upload failed") });
    expect(found.isRecorded).toBe(false);
    expect(found.last).toContain("Nothing was uploaded. schedule/published.csv and published.json do not record what");
    expect(found.last).toContain(
      "Next: look at them with `git diff schedule`, remove the cause and run the same command",
    );
  });

  test("where one fails while it serves, the one before is restored, if that was asked for", async () => {
    const changed = { classes: ["LimiterShard"], found: [WRONG_FIGURE] };
    expect(await failed({ ...changed, words: ["--rollback-on-failure"] })).toMatchObject({
      live: "old@100",
      isRecorded: false,
      exitCode: 1,
      last: expect.stringContaining(
        "fails its checks at https://e.example: figures; it was taken back. Live now: version old (as before)",
      ),
    });
    expect(await failed(changed)).toMatchObject({
      live: "new@100",
      isRecorded: true,
      exitCode: 4,
      last: expect.stringContaining("Live now: version new (this deployment's) at 100 %."),
    });
  });

  test.each<[what: string, given: Given, exitCode: number, last: string]>([
    ["a first deployment, whose certificate takes minutes", { before: null, answersAtMs: 890_000 }, 0, "new"],
    ["a first deployment that never answers", { before: null, answersAtMs: 1_000_000 }, 1, "after 900 s"],
    ["a later one, which needs no certificate", { classes: ["LimiterShard"], answersAtMs: 600_000 }, 1, "after 180 s"],
  ])("the version is awaited: %s", async (_what, given, exitCode, last) => {
    const found = await failed(given);
    expect([found.exitCode === 0, found.last], found.last).toEqual([exitCode === 0, expect.stringContaining(last)]);
  });

  test.each([
    ["upload", []],
    ["check", ["split"]],
  ])("a colleague's deployment during %s is left alone", async (at, splits) => {
    const theirs = [{ id: "theirs", percentage: 100 }];
    const fault: Given["fault"] = (call, { deployments }) => void (call === at && deployments.unshift(theirs));
    const found = await failed({ words: ["--rollback-on-failure"], fault });
    expect([found.live, found.isRecorded]).toEqual(["theirs@100", false]);
    expect(found.seen.calls.filter((call) => call === "split")).toEqual(splits);
    expect(found.last).toContain("another deployment has begun meanwhile (theirs at 100 %)");
    expect(found.last).toContain(
      "version theirs (somebody else's) at 100 %. Version new is uploaded and serves nobody.",
    );
    expect(found.last).toContain("Next: find out who has deployed");
  });

  test("a colleague's deployment is left alone where the declared objects change, too", async () => {
    const theirs = [{ id: "theirs", percentage: 100 }];
    const fault: Given["fault"] = (call, { deployments }) => void (call === "figures" && deployments.unshift(theirs));
    const found = await failed({ classes: ["LimiterShard"], fault });
    expect([found.live, found.isRecorded]).toEqual(["theirs@100", false]);
    expect(found.seen.calls).toEqual(["figures"]);
    expect(found.last).toContain("another deployment has begun meanwhile (theirs at 100 %)");
  });

  test.each(["upload", "split", "triggers", "check"])("interrupted at %s, it says what is live", async (at) => {
    const fault: Given["fault"] = (call, { interruption }) =>
      call === at && interruption.abort(new Refusal(["interrupted by SIGINT"]));
    const found = await failed({ fault });
    expect([found.live.split(",")[0], found.isRecorded]).toEqual(["old@100", false]);
    // Nothing is taken back either: the operator has asked to stop.
    expect(found.last).toContain("interrupted by SIGINT. Live now: version old (as before) at 100 %.");
  });
});

test.each<[what: string, fault: NonNullable<Given["fault"]>, isLong: boolean]>([
  ["a failure", failing("check", "the network failed"), true],
  [
    "an interruption, which ends soon",
    (call, { interruption }) => call === "check" && interruption.abort(new Refusal(["interrupted by SIGINT"])),
    false,
  ],
])("whether the platform's answer is awaited for two minutes after %s", async (_what, fault, isLong) => {
  const timeout = vi.spyOn(AbortSignal, "timeout");
  await failed({ fault });
  const awaited = timeout.mock.calls.map(([ms]) => ms);
  timeout.mockRestore();
  expect(awaited.length, "the platform was asked").toBeGreaterThan(0);
  expect(awaited.includes(120_000)).toBe(isLong);
});

test("where the platform does not say what is live, the record is left for the next deployment", async () => {
  const found = await failed({ isSilent: true, fault: failing("check", "the network failed") });
  expect(found.last).toContain("What is live is not known. Uploaded: new. The next deployment asks the platform");
  expect([found.isRecorded, existsSync(found.seen.paths.intent)]).toEqual([false, true]);
});

test("nothing is taken back while somebody else's version serves too", async () => {
  const shares = ["old", "new", "theirs"].map((id) => ({ id, percentage: 33 }));
  const fault: Given["fault"] = (call, { deployments }) => {
    if (call !== "check") return;
    deployments.unshift(shares);
    refuse("the network failed");
  };
  const found = await failed({ words: ["--rollback-on-failure"], fault });
  expect(found.seen.calls).not.toContain("rollBack");
  expect([found.live, found.isRecorded]).toEqual(["old@33,new@33,theirs@33", true]);
  expect(found.last).toContain("version theirs (somebody else's) at 33 %");
});

describe("a command that is killed at any step", () => {
  const KINDS: readonly (readonly [string, Given])[] = [
    ["checked before it serves", {}],
    ["that fails its checks", { found: [WRONG_FIGURE] }],
    ["that serves at once", { classes: ["LimiterShard"] }],
    ["that is taken back", { classes: ["LimiterShard"], found: [WRONG_FIGURE], words: ["--rollback-on-failure"] }],
    ["that is the first", { before: null }],
  ];

  /**
   * Runs a command that is killed at this step, and returns what the next command finds and leaves; null: it was not
   * killed.
   */
  async function killedAt(step: number, given: Given) {
    let passed = 0;
    let kill = (): void => undefined;
    const killed = new Promise<"killed">((resolve) => {
      kill = () => resolve("killed");
    });
    const pausing = (): Promise<void> => {
      if (passed++ < step) return Promise.resolve();
      kill();
      return new Promise(() => undefined);
    };
    const { run, seen } = world({ ...given, pausing });
    const ended = run().then(
      () => "ended",
      () => "ended",
    );
    if ((await Promise.race([killed, ended])) === "ended") return null;
    const hasServed = seen.deployments.some((shares) =>
      shares.some(({ id, percentage }) => id === "new" && percentage > 0),
    );
    const isEarly = seen.isRecorded && !hasServed;
    await settleKilledDeployment(seen.paths.intent, {
      deployment: async () => seen.deployments[0] ?? null,
      messageOf: async (_worker, id) => (id === "new" ? "ours" : "theirs"),
    });
    const serves = (seen.deployments[0] ?? []).some(({ id, percentage }) => id === "new" && percentage > 0);
    return { isEarly, serves, isRecorded: seen.isRecorded, isOpen: existsSync(seen.paths.intent) };
  }

  test.each(KINDS)("%s: the next one makes the record that of what serves", async (_what, given) => {
    const found = [];
    for (let step = 0; ; step += 1) {
      const after = await killedAt(step, given);
      if (after === null) break;
      found.push(after);
    }
    expect(found.length, "steps").toBeGreaterThan(2);
    const wrong = found.filter(({ isEarly, serves, isRecorded, isOpen }) => isEarly || serves !== isRecorded || isOpen);
    expect(wrong).toEqual([]);
  });
});

describe("the first deployment is live, and says so", () => {
  test.each([
    ["the cron triggers are refused", "triggers"],
    ["the answer to the upload is lost", "deploy"],
  ])("when %s", async (_what, call) => {
    const found = await failed({ before: null, words: ["--rollback-on-failure"], fault: failing(call, "no") });
    expect([found.live, found.isRecorded]).toEqual(["new@100", true]);
    expect(found.last).toContain("Live now: version new (this deployment's) at 100 %.");
    expect(found.last).toContain("commit them. Next: there is no version before it to go back to");
  });
});
