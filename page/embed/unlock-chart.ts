import type { UnlockSchedule } from "../src/api.ts";
import { sentence } from "../src/chart/legend.ts";
import { plot } from "../src/chart/plot.ts";
import { type Slider, sliderOf } from "../src/chart/slider.ts";
import { type Timeline, timelineOf } from "../src/chart/timeline.ts";
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
  /** Of the timeline; undefined until it is drawn. */
  #slider: Slider | undefined;
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
      this.#slider = undefined;
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
    const now = Date.now() / 1_000;
    if (this.#slider === undefined) {
      const text = document.createElement("p");
      this.#slider = sliderOf(timeline, now, (index) => {
        const whole = sentence(timeline, index);
        text.textContent = whole.slice(0, whole.indexOf(", change"));
      });
      root.replaceChildren(text, this.#slider.element);
    }
    const params = new URLSearchParams();
    for (const name of UnlockChart.observedAttributes) params.set(name, this.getAttribute(name) ?? "");
    const size = { width: Math.max(this.clientWidth, 240), height: HEIGHT };
    this.#slider.draw(plot(timeline, parseView(params.toString(), []), now, size));
  }
}
