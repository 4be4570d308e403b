import { isRecord } from "../../src/base/json.ts";
import { dayText } from "../../src/base/utc.ts";
import { tokenText, wholeTokens } from "../../src/chain/amount.ts";
import { stepAt } from "../../src/supply/circulating.ts";
import { scheduleView } from "../../src/supply/representations.ts";
import { hasUnlocks, type UnlockSchedule, type WalletList } from "../../src/supply/schedule.ts";
import { nextPlannedUnlock } from "../../src/supply/unlock-events.ts";
import { counted } from "../lib/counted.ts";
import { escapeHtml } from "../lib/escape.ts";
import type { Finding } from "../lib/finding.ts";
import type { Baseline } from "./finding.ts";
import { identityProblems } from "./identity.ts";
import { type Answer, type Answers, isAway, isNotOffered, parseObject } from "./probe.ts";

const MAX_LEDGER_SECONDS = 120;

/** Checks that the bare numbers are digits alone. */
export function figureFinding({ figure, max, schedule, hasStarted }: Answers): Finding {
  // Without an unlock schedule the figure is read from the chain. Another check compares the maximum with the file.
  const isOfWallets = isNotOffered(schedule);
  const asked = [
    ...(isOfWallets && isAway(figure) ? [] : [figure]),
    ...(isOfWallets && isNotOffered(max) ? [] : [max]),
  ];
  const problems = [...new Map(asked.map((answer) => [answer.path, answer])).values()].flatMap(
    ({ path, status, body }) => {
      if (status !== 200) return [`${path} answers ${status} instead of a number; see the health problems`];
      if (/^(0|[1-9]\d*)$/.test(body)) return [];
      return [`${path} is not digits alone (${JSON.stringify(body.slice(0, 24))}); something in front rewrites bodies`];
    },
  );
  if (isOfWallets) return { is: asked.map(({ body }) => body).join(" of ") || "none now", problems };
  return { is: hasStarted ? `${figure.body} of ${max.body}` : `not started, ${max.body} at most`, problems };
}

/** Checks that the deployment serves this schedule file: its figures, every month, the wallets and the chains. */
export function scheduleFinding(answers: Answers, expected: Baseline): Finding {
  const isOfWallets = isNotOffered(answers.schedule);
  const published = parseObject(isOfWallets ? answers.health.body : answers.schedule.body);
  const servedRevision = published?.[isOfWallets ? "schedule_revision" : "revision"];
  const served = `${isOfWallets ? "wallets alone, " : ""}revision ${String(servedRevision)}`;
  const local = expected.schedule;
  if (local === null) return { is: `${served}, not compared with a file`, problems: [] };
  if (isOfWallets === hasUnlocks(local)) {
    const [theirs, ours] = isOfWallets
      ? ["wallets alone", "an unlock schedule"]
      : ["an unlock schedule", "wallets alone"];
    return { is: served, problems: [`the deployment serves ${theirs}, the file here has ${ours}; deploy it`] };
  }
  const { revision } = local;
  if (servedRevision !== revision) {
    const problem = `the deployment serves schedule ${served}, the file here is revision ${revision}; deploy it`;
    return { is: served, problems: [problem] };
  }
  const { is, problems } = hasUnlocks(local)
    ? unlocksFinding(answers, local, published?.["rows"])
    : walletsFinding(answers, local);
  return { is: `${served}: ${is}`, problems: [...identityProblems(answers, local, expected), ...problems] };
}

function wrong({ path, body }: Answer, wanted: string): string[] {
  if (body === wanted) return [];
  return [`${path} is ${body.slice(0, 40)}, the schedule file here says ${wanted}; deploy it or correct it`];
}

/** Compares the maximum with the file's; another check reads what circulates. */
function walletsFinding({ max }: Answers, { wallets, maxSupply, token }: WalletList): Finding {
  const is = `${counted(wallets.length, "wallet")} of ${token.symbol}`;
  if (maxSupply !== null) return { is, problems: wrong(max, wholeTokens(maxSupply, token.decimals)) };
  const problem = `${max.path} is ${max.body.slice(0, 40)}, the schedule file here has no maximum; deploy it or correct it`;
  return { is: `${is}, without a maximum`, problems: isNotOffered(max) ? [] : [problem] };
}

function unlocksFinding(answers: Answers, local: UnlockSchedule, servedRows: unknown): Finding {
  const { figure, max, schedule, hasStarted } = answers;
  const { maxSupply, token } = local;
  const whole = (units: bigint) => String(wholeTokens(units, token.decimals));
  const step = stepAt(local, figure.atMs);
  const { rows } = scheduleView(local);
  const isSame = JSON.stringify(servedRows) === JSON.stringify(rows);
  const next = nextPlannedUnlock(local, figure.atMs);
  const text = (units: bigint) => tokenText(units, token.decimals);
  const unlocks =
    next === undefined ? "nothing unlocks any more" : `next ${text(next.amount)} on ${dayText(next.atMs)}`;
  return {
    is: `${step === undefined ? "nothing circulates yet" : `${text(step.circulating)} circulate`} of ${text(maxSupply)} ${token.symbol}, ${unlocks}; ${counted(rows.length, "month")}`,
    problems: [
      ...(hasStarted && step !== undefined ? wrong(figure, whole(step.circulating)) : []),
      ...wrong(max, whole(maxSupply)),
      ...(hasStarted === (step !== undefined)
        ? []
        : ["health and the schedule file here disagree on whether the schedule has started"]),
      ...(isSame ? [] : [`${schedule.path} has other months than the schedule file here; deploy it or correct it`]),
    ],
  };
}

/** Health codes about the chain's pace, which nobody can repair: they are warnings, so no check fails. */
const PACE_CODES: readonly unknown[] = ["chain_behind"];

export function healthFinding({ health }: Answers, { isLocal }: Baseline): Finding {
  const report = parseObject(health.body);
  if (report === null) {
    const problem = `/api/health answers ${health.status} without a report; this is not a working deployment`;
    return { is: "", problems: [problem] };
  }
  const problems = Array.isArray(report["problems"]) ? report["problems"].filter(isRecord) : [];
  const unnamed = ["unknown", "local"].includes(String(report["build_revision"])) && !isLocal;
  const lines = (isPace: boolean): readonly string[] =>
    problems
      .filter(({ code }) => PACE_CODES.includes(code) === isPace)
      .map(
        ({ code, subject, message, remedy }) =>
          `health says ${String(code)} (${String(subject)}): ${String(message)} Remedy: ${String(remedy)}`,
      );
  return {
    is: String(report["status"]),
    warnings: lines(true),
    problems: [...lines(false), ...(unnamed ? ["the build states no revision; deploy with `npm run deploy`"] : [])],
  };
}

/** Checks the figures on chain that the deployment serves, and names what a contract states beside them. */
export function onChainFinding({ onChain, breakdown }: Pick<Answers, "onChain" | "breakdown">): Finding {
  const name = ({ path }: Answer) => path.replace(/^\/api\/|\?.*$/g, "");
  const shown = onChain.filter(({ status }) => status === 200).map((answer) => `${name(answer)} ${answer.body}`);
  return {
    is: [...shown, ...statedTexts(breakdown)].join(", ") || "none: the deployment reads no chain",
    problems: onChain.flatMap((answer) =>
      answer.status === 200 || isNotOffered(answer)
        ? []
        : [`${name(answer)} answers ${answer.status}: ${reasonOf(answer)}; see the health problems`],
    ),
  };
}

/** Describes what contracts state to circulate, and the difference to our figure; health judges the difference. */
function statedTexts({ body }: Answer): string[] {
  const chains = parseObject(body)?.["chains"];
  return (Array.isArray(chains) ? chains.filter(isRecord) : []).flatMap(({ circulating_view: compared }) => {
    if (!isRecord(compared)) return [];
    const { view, contract, stated, difference, unavailable } = compared;
    const name = `${String(view)} of ${String(contract)}`;
    if (!isRecord(stated)) return [`${name} cannot be read: ${String(unavailable)}`];
    const distance = isRecord(difference) ? `difference ${String(difference["tokens"])}` : "not compared";
    return [`${name} states ${String(stated["tokens"])} (${distance})`];
  });
}

export function nodeFinding({ node, oldest, health }: Answers): Finding {
  const upstreams = parseObject(health.body)?.["upstreams"];
  const labels = Array.isArray(upstreams) ? upstreams.filter(isRecord).map(({ label }) => String(label)) : [];
  const singleNode =
    labels.length === 1 && labels[0] !== "embedded"
      ? ["with one node, figures of the chain rest on that node alone; name nodes of two operators in NODE_URLS"]
      : [];
  // Status 404 means that the deployment does not serve /v1 (NODE_GATEWAY).
  if (node.status === 404) return { is: "/v1 is not served", problems: [], warnings: singleNode };
  const pruned =
    oldest.status === 410
      ? ["no node has the oldest versions (/v1/blocks/by_height/0 answers 410); put an archive node last in NODE_URLS"]
      : [];
  const warnings = [...singleNode, ...pruned];
  if (node.status !== 200)
    return {
      is: "",
      problems: [`/v1 answers ${node.status}: no chain node can be reached; check NODE_URLS`],
      warnings,
    };
  const seconds = (node.atMs - Number(parseObject(node.body)?.["ledger_timestamp"]) / 1000) / 1000;
  if (!Number.isFinite(seconds))
    return { is: "", problems: ["/v1 is not a node's ledger information; check that NODE_URLS end in /v1"], warnings };
  const stalled = `the newest block is ${Math.round(seconds)} s old: the chain or its node has stopped; check NODE_URLS`;
  return {
    is: `newest block ${Math.max(0, Math.round(seconds))} s old, ${counted(labels.length, "node")}`,
    problems: seconds > MAX_LEDGER_SECONDS ? [stalled] : [],
    warnings,
  };
}

/** Checks the responses that trackers and pages use. A deployment may serve only some of them. */
export function formFinding({ forms }: Answers, { schedule }: Baseline): Finding {
  const page = forms.at(-1)?.answer.body ?? "";
  const symbol = schedule?.token.symbol ?? "";
  const problems = forms.flatMap(({ form, answer }) => {
    const type = answer.headers.get("Content-Type") ?? "";
    const isRight = answer.status === 200 && type.startsWith(form.type) && form.begin.test(answer.body);
    return isRight ? [] : [`${form.path} answers ${answer.status} ${type} ${answer.body.slice(0, 60)}`];
  });
  if (!page.includes(escapeHtml(symbol)))
    problems.push(`the page does not name ${symbol}; deploy the schedule file here`);
  return { is: `${forms.length} forms of trackers and pages`, problems };
}

function reasonOf({ body }: Answer): string {
  return String(parseObject(body)?.["message"] ?? body.slice(0, 60)).replace(/\.$/, "");
}
