import { TokenApy } from "./token-apy.ts";
import { TokenSupply } from "./token-supply.ts";

/** Defines the elements once, however often the script is included; the chart is loaded where a page has one. */
function define(name: string, element: CustomElementConstructor): void {
  if (customElements.get(name) === undefined) customElements.define(name, element);
}

define("token-apy", TokenApy);
define("token-supply", TokenSupply);

if (document.querySelector("unlock-chart") !== null) {
  void import("./unlock-chart.ts").then(
    ({ UnlockChart }) => define("unlock-chart", UnlockChart),
    () => console.warn("<unlock-chart>: its script cannot be loaded; the fallback content stays."),
  );
}
