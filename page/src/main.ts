import { type Answer, readRates, readSchedule, readSupply, type UnlockSchedule } from "./api.ts";
import { byId, h } from "./dom.ts";
import { showEndpoints } from "./endpoints.ts";
import { showFigures } from "./figures.ts";
import { showRates } from "./rates.ts";
import { showSchedule } from "./schedule.ts";

const REFRESH_SECONDS = 60;
const now = (): number => Date.now();

/** Asks now, shows, and asks again when the answer says so. Each panel lives and fails on its own. */
async function keep<T>(
  read: () => Promise<Answer<T>>,
  showAnswer: (answer: Answer<T>) => void,
  everySeconds: number,
): Promise<void> {
  const answer = await read();
  showAnswer(answer);
  const waitSeconds = answer.kind === "failure" ? Math.max(answer.retrySeconds, 5) : everySeconds;
  if (Number.isFinite(waitSeconds)) setTimeout(() => void keep(read, showAnswer, everySeconds), waitSeconds * 1_000);
}

const supply = (): Promise<void> =>
  keep(readSupply, (answer) => showFigures(answer, now, () => void supply()), Number.POSITIVE_INFINITY);

void supply();
void keep(readSchedule, showScheduleAndSource, Number.POSITIVE_INFINITY);
void keep(readRates, (answer) => showRates(answer, now()), REFRESH_SECONDS);
showEndpoints(location.origin);

function showScheduleAndSource(answer: Answer<UnlockSchedule>): void {
  showSchedule(answer, now());
  if (answer.kind === "failure") return;
  const { token, revision, sources } = answer.value;
  byId("symbol").textContent = token.symbol;
  const links = sources.flatMap(({ title, url }) => [" ", h("a", { href: url, rel: "noopener noreferrer" }, title)]);
  byId("provenance").replaceChildren(`Schedule revision ${revision}. Sources:`, ...links);
  matchMedia("(prefers-color-scheme: dark)").onchange = () => showSchedule(answer, now());
}
