import { brand, chains, hasChain, hasUnlocks, nodes } from "virtual:site";
import { isRecord } from "../../../src/base/json.ts";
import { NATIVE_CHAIN } from "../../../src/chain/holding.ts";
import { familyOf } from "../../../src/families/family.ts";
import { dayOf, exactOf } from "../../view/format.ts";
import { serviceNow, setClock } from "../clock.ts";
import { parseHoldings, type SupplyBreakdown, strict, type UnlockSchedule } from "../documents.ts";
import { h } from "../dom.ts";
import { byId, setText } from "../elements.ts";
import { isServiceAddress, nodeAddress } from "./address.ts";
import { type Check, compare } from "./compare.ts";
import { comparisonView } from "./comparison.ts";
import { allowNode, mayAskService } from "./connections.ts";
import { pageFamily } from "./family.ts";
import { checkPlan, differenceText, scheduleOf } from "./plan.ts";
import { servedChain } from "./served-chain.ts";
import { checkVerdict, isOwnGateway } from "./words.ts";

const SCHEDULE_FILE = "/schedule/native.json";
const TIMEOUT_MS = 20_000;
const input = byId("node") as HTMLInputElement; // as the page's HTML has it
const submit = byId("node-form").querySelector("button") as HTMLButtonElement;
let chosen = NATIVE_CHAIN;

/** Displays the token's chains; a node has only one of them. */
function showChains(): void {
  byId("chains").append(
    ...chains.map(({ id, chainId }) => {
      const radio = h("input", { type: "radio", name: "chain", value: id });
      radio.onchange = () => choose(id);
      return h("label", {}, radio, ` ${id}${chainId === null ? "" : `, chain ${chainId}`}`);
    }),
  );
  byId("chains").hidden = chains.length === 1;
  choose(NATIVE_CHAIN);
}

function choose(id: string): void {
  chosen = id;
  for (const radio of byId("chains").querySelectorAll("input")) radio.checked = radio.value === id;
  // The brand lists nodes of the first chain only.
  byId("nodes").hidden = nodes.length === 0 || id !== NATIVE_CHAIN;
}

/** Displays the nodes that the operator's brand lists. */
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
}

/** Check that waits until the page has been loaded again. */
interface Pending {
  readonly part: "chain" | "plan";
  readonly id: string;
  readonly address: string;
}

/** Reloads the page and then checks. The check is kept in the tab's history, because a browser may block storage. */
function checkAfterReload(part: Pending["part"], address: string): void {
  history.replaceState({ part, id: chosen, address } satisfies Pending, "");
  location.reload();
}

/** Removes the last verdict: it is not about the check that begins. */
function clearVerdict(part: Pending["part"]): void {
  showVerdict(part, "", "none");
  byId(`${part}-result`).replaceChildren();
}

async function checkNode(): Promise<void> {
  clearVerdict("chain");
  const { family } = chains.find(({ id }) => id === chosen) ?? chains[0];
  const address = nodeAddress(input.value, family);
  if (address === undefined) {
    showVerdict(
      "chain",
      "Give the address of a node, such as node.example.org: https, or http on this machine.",
      "short",
    );
    return;
  }
  if (isServiceAddress(address, location.origin, brand.url)) {
    showVerdict(
      "chain",
      `This is this service’s own ${pageFamily(family).addressName}, which cannot be its witness: choose another node.`,
      "short",
    );
    return;
  }
  if (!mayAskService() || !allowNode(address)) return checkAfterReload("chain", address);
  submit.disabled = true;
  showVerdict("chain", "Reading this service’s answer and the published file.", "none");
  try {
    const answers = await serviceAnswers();
    const served = typeof answers === "string" ? answers : servedChain(answers.breakdown, chosen);
    if (typeof answers === "string" || typeof served === "string") showVerdict("chain", String(served), "none");
    else await showComparison(address, { ...answers, served });
  } catch {
    showVerdict("chain", "What was read cannot be compared: try again in a minute.", "none");
  } finally {
    submit.disabled = false;
  }
}

/** Reads this service's published file and its reading of the chain, in two requests. */
async function serviceAnswers(): Promise<Omit<Check, "served"> | string> {
  const get = (path: string) => fetch(path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  try {
    const [file, answer] = await Promise.all([get(SCHEDULE_FILE), get("/api/supply-breakdown")]);
    const body: unknown = await answer.json();
    const schedule = scheduleOf(await file.text());
    if (answer.ok) return { schedule, breakdown: parseHoldings(body).breakdown };
    // If a chain or wallet is missing, the answer has no sum, but the other figures.
    if (isRecord(body) && "chains" in body) return { schedule, breakdown: strict(body as SupplyBreakdown) };
    return `This service’s own answer: ${(body as { message?: string }).message ?? answer.status}`;
  } catch {
    return "This service’s own answer cannot be read now: try again in a minute.";
  }
}

async function showComparison(address: string, check: Check): Promise<void> {
  const { served, schedule } = check;
  const exact = (units: bigint): string => exactOf(units, schedule.token.decimals);
  showVerdict("chain", `Asking the node for ${familyOf(served.family).versionWord} ${served.version}.`, "none");
  const outcome = await compare(pageFamily(served.family).nodeAt(address, served), check);
  const verdict = checkVerdict(outcome, served.family, exact);
  showVerdict("chain", verdict.text, verdict.state);
  if (!isOwnGateway(outcome)) byId("chain-result").replaceChildren(...(await comparisonView(outcome, check, address)));
}

async function checkSchedule(): Promise<void> {
  clearVerdict("plan");
  if (!mayAskService()) return checkAfterReload("plan", input.value);
  showVerdict("plan", "Reading the published file and this service’s figures.", "none");
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
    showVerdict(
      "plan",
      isEqual
        ? `Equal to the base unit: the file gives ${text(found.computed)} today, as this service answers, and the same in all ${found.steps} steps.`
        : `Not equal: ${differenceText(found.differsAt)}. The file gives ${text(found.computed)} today, this service ${text(found.answered)}.`,
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
    showVerdict("plan", "The file or the figures cannot be read now: try again in a minute.", "none");
  }
}

function showVerdict(part: "chain" | "plan", text: string, state: string): void {
  setText(`${part}-verdict`, text);
  byId(`${part}-verdict`).dataset["state"] = state;
}

byId("chain").hidden = !hasChain;
showNodes();
showChains();
byId("node-form").onsubmit = (event) => {
  event.preventDefault();
  void checkNode();
};
if (hasUnlocks) {
  byId("plan").hidden = false;
  byId("plan-check").onclick = () => void checkSchedule();
}
const pending = history.state as Pending | null; // nothing else fills it
if (pending !== null) {
  history.replaceState(null, "");
  choose(pending.id);
  input.value = pending.address;
  void (pending.part === "chain" ? checkNode() : checkSchedule());
}
