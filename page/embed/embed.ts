import { sourceLink } from "./source-link.ts";
import { TokenApy } from "./token-apy.ts";
import { TokenSupply } from "./token-supply.ts";

/** Built alone: a page may have either script from its cache, a deployment older than the other. */
const CHART = new URL(/* @vite-ignore */ "assets/unlock-chart.js", import.meta.url).href;
type ChartScript = typeof import("./unlock-chart.ts");

/** `<unlock-chart mode unit range source>`: loads the chart when it is on a page, whenever that is. */
class UnlockChart extends HTMLElement {
  static readonly observedAttributes = ["mode", "unit", "range", "source"];
  #chart: Promise<() => void> | undefined;

  connectedCallback(): void {
    if (this.#chart !== undefined) return;
    this.toggleAttribute("loading", true);
    this.#chart = (import(CHART) as Promise<ChartScript>).then(({ attachChart }) => attachChart(this, sourceLink()));
    this.#chart.then(
      () => this.removeAttribute("loading"),
      () => {
        this.removeAttribute("loading");
        this.toggleAttribute("failed", true);
        this.#chart = undefined;
        console.warn("<unlock-chart>: its script cannot be loaded; the fallback content stays.");
      },
    );
  }

  attributeChangedCallback(): void {
    this.#chart?.then(
      (draw) => draw(),
      () => undefined,
    );
  }
}

/** Once, however often the script is included. */
for (const [name, element] of [
  ["token-apy", TokenApy],
  ["token-supply", TokenSupply],
  ["unlock-chart", UnlockChart],
] as const)
  if (customElements.get(name) === undefined) customElements.define(name, element);
