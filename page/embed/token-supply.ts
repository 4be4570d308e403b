import { TextElement } from "./element.ts";

const FIGURES = ["circulating", "total", "max", "locked"];
const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** `<token-supply figure="circulating" format="full">`: one supply figure in whole tokens. */
export class TokenSupply extends TextElement {
  static readonly observedAttributes = ["figure", "format"];
  readonly path = "/api/supply";

  textOf(value: unknown): { text: string; title: string } | null {
    const figure = this.getAttribute("figure") ?? "circulating";
    if (!FIGURES.includes(figure)) return null;
    const tokens = (value as Record<string, { tokens?: unknown } | null | undefined>)[figure]?.tokens;
    if (typeof tokens !== "string") return null;
    const whole = tokens.split(".")[0] ?? "";
    const full = whole.replace(/\B(?=(\d{3})+$)/g, ",");
    return { text: this.getAttribute("format") === "compact" ? COMPACT.format(Number(whole)) : full, title: tokens };
  }
}
