import { brand, family, hasChain, nodes, versionWord } from "virtual:site";
import { dayOf, exactOf, timeOf } from "../../../schedule-format/format.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { isNative, walletsOf } from "../../../src/supply/wallets.ts";
import { serviceNow, setClock } from "../clock.ts";
import { parseHoldings, type UnlockSchedule } from "../documents.ts";
import { byId, copy, h, setText, showCode } from "../dom.ts";
import { nodeAddress } from "./address.ts";
import { type Check, compare, type Line } from "./compare.ts";
import { FAMILY } from "./family.ts";
import type { BrowserNode } from "./node.ts";
import { checkPlan, scheduleOf } from "./plan.ts";
import { verdictOf } from "./words.ts";

const SCHEDULE_FILE = "/schedule/native.json";
const TIMEOUT_MS = 20_000;
/** Where a check waits for the page to be loaded again. */
const PENDING = "check with node";

const input = byId("node") as HTMLInputElement; // as the page's HTML has it
const submit = byId("node-form").querySelector("button") as HTMLButtonElement;
let allowed: string | undefined;

/** The nodes that the operator's brand lists. */
function showNodes(): void {
  const all = nodes.map(({ label, url }) => [label, url] as const);
  byId("nodes").append(
    ...all.map(([label, url]) => {
      const radio = h("input", { type: "radio", name: "node", value: url });
      radio.onchange = () => {
        input.value = url;
      };
      return h("label", {}, radio, ` ${label} `, h("code", {}, url));
    }),
  );
  byId("nodes").hidden = all.length === 0;
}

/**
 * From the first request on, this page may connect to the chosen node and nothing else: a policy can only become
 * stricter, so another node is asked by the page loaded again.
 */
function allowOnly(address: string): boolean {
  const { origin } = new URL(address);
  if (allowed !== undefined) return allowed === origin;
  const policy = `connect-src 'self' ${origin}`;
  document.head.append(h("meta", { "http-equiv": "Content-Security-Policy", content: policy }));
  allowed = origin;
  return true;
}

async function checkNode(): Promise<void> {
  const address = nodeAddress(input.value, family);
  if (address === undefined) {
    say("chain", "Give the address of a node, such as node.example.org: https, or http on this machine.", "short");
    return;
  }
  if (
    [location.origin, brand.url].some((own) => own !== undefined && new URL(own).origin === new URL(address).origin)
  ) {
    say(
      "chain",
      `This is this service’s own ${FAMILY.own}, which cannot be its witness: choose another node.`,
      "short",
    );
    return;
  }
  if (!allowOnly(address)) {
    sessionStorage.setItem(PENDING, address);
    location.reload();
    return;
  }
  submit.disabled = true;
  byId("chain-result").replaceChildren();
  say("chain", "Reading this service’s answer and the published file.", "none");
  try {
    const check = await ownAnswers();
    if (typeof check === "string") say("chain", check, "none");
    else await showComparison(FAMILY.nodeAt(address, check.breakdown), address, check);
  } catch {
    say("chain", "What was read cannot be compared: try again in a minute.", "none");
  } finally {
    submit.disabled = false;
  }
}

/** What this service says: its published file and its reading of the chain. Two requests. */
async function ownAnswers(): Promise<Check | string> {
  const get = (path: string) => fetch(path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  try {
    const [file, answer] = await Promise.all([get(SCHEDULE_FILE), get("/api/supply-breakdown")]);
    const body: unknown = await answer.json();
    if (!answer.ok) return `This service’s own answer: ${(body as { message?: string }).message ?? answer.status}`;
    const { breakdown } = parseHoldings(body);
    return { schedule: scheduleOf(await file.text()), asset: FAMILY.assetOf(breakdown.asset), breakdown };
  } catch {
    return "This service’s own answer cannot be read now: try again in a minute.";
  }
}

async function showComparison(node: BrowserNode, address: string, check: Check): Promise<void> {
  const { schedule, breakdown } = check;
  const { decimals } = schedule.token;
  const exact = (units: bigint): string => exactOf(units, decimals);
  say("chain", `Asking the node for ${versionWord} ${breakdown.ledger_version}.`, "none");
  const outcome = await compare(node, check);
  const verdict = verdictOf(outcome, exact);
  say("chain", verdict.text, verdict.state);
  const holdings = [null, ...walletsOf(schedule).filter(isNative)];
  const commands = await Promise.all(holdings.map((holding) => FAMILY.commands(address, breakdown, holding)));
  byId("chain-result").replaceChildren(
    ...(outcome.kind === "compared" ? [comparisonTable(outcome.lines, schedule, exact)] : []),
    h(
      "p",
      { class: "note" },
      `This service read ${FAMILY.version} ${breakdown.ledger_version} on ${timeOf(Date.parse(breakdown.as_of))}${outcome.kind === "compared" ? `; the node follows chain ${outcome.info.chainId}` : ""}.${furtherText(breakdown)}`,
    ),
    h(
      "details",
      {},
      h("summary", {}, "The command of each line"),
      ...holdings.flatMap((holding, index) => commandBlock(holding?.label ?? "Minted", commands[index] ?? "")),
    ),
  );
}

/** What one node cannot say of a token on several chains. */
function furtherText(breakdown: Check["breakdown"]): string {
  const chains = "chains" in breakdown ? (breakdown.chains ?? []) : [];
  const further = chains.slice(1).map(({ chain, ledger_version: at }) => `${chain} at ${at ?? "no version"}`);
  if (further.length === 0) return "";
  return ` The token is on other chains too, which this node does not have, so that no sum is compared. Read were: ${further.join(", ")}.`;
}

function commandBlock(label: string, text: string): HTMLElement[] {
  const code = h("code", { class: "wraps" });
  showCode(code, text);
  const copyButton = h("button", { type: "button" }, "Copy");
  copyButton.onclick = () => copy(text, copyButton);
  return [
    h("h3", {}, h("bdi", {}, label)),
    h("div", { class: "snippet" }, h("pre", { tabindex: "0" }, code), copyButton),
  ];
}

/** The subtraction line by line: the node's words, and this service's where they differ. */
function comparisonTable(lines: readonly Line[], { token }: Schedule, exact: (units: bigint) => string): HTMLElement {
  const signs: Readonly<Record<Line["kind"], string>> = { minted: "", burned: "−", wallet: "−", left: "=" };
  const rows = lines.map(({ label, kind, node, ours, reason }) => {
    const isEqual = node !== null && node === ours;
    const said = node === null ? `not read: ${reason}` : `${signs[kind]} ${exact(node)}`.trim();
    const result = isEqual ? "equal" : node === null ? "" : ours === null ? "not compared" : `here ${exact(ours)}`;
    return h(
      "tr",
      { class: kind === "left" ? "sum" : "part" },
      h("th", { scope: "row" }, h("bdi", {}, label), kind === "burned" ? ", burned" : ""),
      h("td", { class: node === null ? "reason" : "number", "data-label": "Node" }, said),
      h("td", { class: isEqual ? "equal" : "unequal", "data-label": "This service" }, isEqual ? "✓ equal" : result),
    );
  });
  const head = ["Line", `Node, ${token.symbol}`, "This service"].map((name) => h("th", { scope: "col" }, name));
  return h(
    "table",
    { class: "rows", id: "comparison" },
    h("caption", {}, "The node’s subtraction, and this service’s"),
    h("thead", {}, h("tr", {}, ...head)),
    h("tbody", {}, ...rows),
  );
}

async function checkSchedule(): Promise<void> {
  say("plan", "Reading the published file and this service’s figures.", "none");
  const get = (path: string) => fetch(path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  try {
    const [file, answer] = await Promise.all([get(SCHEDULE_FILE), get("/api/unlock-schedule")]);
    setClock(answer);
    const bytes = await file.arrayBuffer();
    const api = (await answer.json()) as UnlockSchedule; // as its document says; what is missing throws
    const schedule = scheduleOf(new TextDecoder().decode(bytes));
    const found = await checkPlan(bytes, api, serviceNow());
    const { decimals, symbol } = schedule.token;
    const text = (units: bigint | null): string =>
      units === null ? "nothing yet" : `${exactOf(units, decimals)} ${symbol}`;
    const isEqual = found.differsAt === null && (found.hash === null || found.hash === found.publishedHash);
    const wrong =
      found.differsAt === null
        ? "the file is another one than this service names"
        : `the figures differ from ${dayOf(found.differsAt)} on`;
    say(
      "plan",
      isEqual
        ? `Equal to the base unit: the file gives ${text(found.computed)} today, as this service answers, and the same in all ${found.steps} steps.`
        : `Not equal: ${wrong}. The file gives ${text(found.computed)} today, this service ${text(found.answered)}.`,
      isEqual ? "verified" : "short",
    );
    byId("plan-result").replaceChildren(
      h(
        "p",
        {},
        "SHA-256 of the file as received: ",
        h("code", { class: "hash" }, found.hash ?? "not computed, this page is not served over HTTPS"),
      ),
      h("p", {}, "SHA-256 that this service names: ", h("code", { class: "hash" }, found.publishedHash ?? "none")),
      h(
        "p",
        {},
        `The file says where it is from, published${schedule.publisher ? ` by ${schedule.publisher}` : ""} on ${dayOf(schedule.publishedAt)}: `,
        ...schedule.sources.flatMap(({ title, url }, index) => [
          index === 0 ? "" : ", ",
          h("a", { href: url, rel: "noopener noreferrer" }, title),
        ]),
        ".",
      ),
    );
  } catch {
    say("plan", "The file or the figures cannot be read now: try again in a minute.", "none");
  }
}

function say(part: "chain" | "plan", text: string, state: string): void {
  setText(`${part}-verdict`, text);
  byId(`${part}-verdict`).dataset["state"] = state;
}

for (const id of ["plan", "chain"]) byId(id).hidden = false;
byId("chain").hidden = !hasChain;
showNodes();
byId("node-form").onsubmit = (event) => {
  event.preventDefault();
  void checkNode();
};
byId("plan-check").onclick = () => void checkSchedule();
const pending = sessionStorage.getItem(PENDING);
if (pending !== null) {
  sessionStorage.removeItem(PENDING);
  input.value = pending;
  void checkNode();
}
