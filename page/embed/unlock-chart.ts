import type { UnlockSchedule } from "../src/api.ts";
import { sentence } from "../src/chart/legend.ts";
import { type Plot, plot } from "../src/chart/plot.ts";
import { stepAt, type Timeline, timelineOf } from "../src/chart/timeline.ts";
import { parseView } from "../src/chart/view-state.ts";
import { subscribe } from "./source.ts";

const STYLES = `
:host{display:block;min-height:260px;color-scheme:light dark;
--text:var(--unlock-chart-text,CanvasText);--muted:var(--unlock-chart-text,GrayText);--line:var(--unlock-chart-line,color-mix(in srgb,CanvasText 18%,Canvas));
--panel:var(--unlock-chart-background,Canvas);--accent:var(--unlock-chart-0,#2f7fa8);
--series-0:var(--unlock-chart-0,#2f7fa8);--series-1:var(--unlock-chart-1,#d08a1f);--series-2:var(--unlock-chart-2,#c65d8a);--series-3:var(--unlock-chart-3,#7a9a3a);
--series-4:var(--unlock-chart-4,#8a5edb);--series-5:var(--unlock-chart-5,#a0522d);--series-6:var(--unlock-chart-6,#5f9ea0);--series-7:var(--unlock-chart-7,#7d8c94)}
svg{display:block}p{font:600 14px system-ui,sans-serif;margin:0 0 4px;min-height:1.4em}
text{font:12px system-ui,sans-serif;fill:var(--muted)}.label{fill:var(--text)}.grid{stroke:var(--line)}.axis,.today,.cursor{stroke:var(--text)}
.cursor{stroke-dasharray:3 3}.maximum{stroke:var(--muted);stroke-dasharray:6 4}.marker{fill:var(--accent)}
[role=slider]:focus-visible{outline:2px solid var(--accent)}`;
const HEIGHT = 260;

/** `<unlock-chart mode unit range>`: the unlock schedule. Its own content is the fallback. */
export class UnlockChart extends HTMLElement {
  static readonly observedAttributes = ["mode", "unit", "range"];
  #timeline: Timeline | undefined;
  #unsubscribe: (() => void) | undefined;
  readonly #resized = new ResizeObserver(() => this.#draw());

  connectedCallback(): void {
    this.attachShadowOnce();
    this.toggleAttribute("loading", this.#timeline === undefined);
    this.#resized.observe(this);
    this.#unsubscribe = subscribe("/api/unlock-schedule", (reading) => {
      this.removeAttribute("loading");
      this.toggleAttribute("failed", reading.kind === "failed");
      this.toggleAttribute("stale", reading.kind === "value" && reading.isStale);
      this.#timeline = reading.kind === "value" ? timelineOf(reading.value as UnlockSchedule, new Map()) : undefined;
      this.#draw();
    });
  }

  disconnectedCallback(): void {
    this.#resized.disconnect();
    this.#unsubscribe?.();
  }

  attributeChangedCallback(): void {
    this.#draw();
  }

  private attachShadowOnce(): void {
    if (this.shadowRoot !== null) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    root.append(document.createElement("slot"));
  }

  #draw(): void {
    const root = this.shadowRoot;
    if (root === null) return;
    const timeline = this.#timeline;
    if (timeline === undefined) {
      root.replaceChildren(document.createElement("slot"));
      return;
    }
    const params = new URLSearchParams();
    for (const name of UnlockChart.observedAttributes) params.set(name, this.getAttribute(name) ?? "");
    const now = Date.now() / 1_000;
    const drawn = plot(timeline, parseView(params.toString(), []), now, {
      width: Math.max(this.clientWidth, 240),
      height: HEIGHT,
    });
    root.replaceChildren(...withReadOut(timeline, drawn, Math.max(0, stepAt(timeline.steps, now))));
  }
}

/** The chart as a slider over its steps, with the step read out above it. */
function withReadOut(timeline: Timeline, drawn: Plot, home: number): HTMLElement[] {
  const text = document.createElement("p");
  const slider = document.createElement("div");
  let current = home;
  const moveTo = (index: number): void => {
    current = Math.min(Math.max(index, 0), timeline.steps.length - 1);
    drawn.moveTo(current);
    const all = sentence(timeline, current);
    text.textContent = all.slice(0, all.indexOf(", change"));
    slider.setAttribute("aria-valuenow", String(current));
    slider.setAttribute("aria-valuetext", all);
  };
  slider.tabIndex = 0;
  slider.setAttribute("role", "slider");
  slider.setAttribute("aria-label", "Unlock schedule, month by month");
  slider.setAttribute("aria-valuemin", "0");
  slider.setAttribute("aria-valuemax", String(timeline.steps.length - 1));
  slider.append(drawn.element);
  slider.addEventListener("pointermove", ({ offsetX }) => moveTo(drawn.stepAtX(offsetX)));
  slider.addEventListener("pointerleave", () => moveTo(home));
  slider.addEventListener("keydown", (event) => {
    const jump = { ArrowLeft: -1, ArrowRight: 1, PageDown: -12, PageUp: 12 }[event.key];
    if (jump === undefined) return;
    event.preventDefault();
    moveTo(current + jump);
  });
  moveTo(home);
  return [text, slider];
}
