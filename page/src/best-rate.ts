import type { Answer, Rates } from "./api.ts";
import { byId, h, setText } from "./dom.ts";
import { percent } from "./format.ts";
import { marksOf } from "./rates.ts";
import { bestOf } from "./sorting.ts";

/** The highest APY and its product, beside the headline figure; a dash when unknown. */
export function showBestRate(answer: Answer<Rates>, nowMs: number): void {
  const best = answer.kind === "value" ? bestOf(answer.value.data) : undefined;
  setText("best-rate", percent(best?.apy ?? null));
  const note = byId("best-note");
  note.classList.toggle("failure", answer.kind === "failure");
  if (answer.kind === "failure") note.textContent = answer.message;
  else if (best === undefined) note.textContent = "No product has a rate now.";
  else
    note.replaceChildren(
      h("a", { href: "#yield", dir: "auto", title: best.name }, best.name),
      h("span", {}, `on ${best.asset.symbol}`),
      ...marksOf(best, nowMs),
    );
}
