import { compact, wholeTokens } from "../../shared/numbers.ts";
import { TextElement } from "./element.ts";

const FIGURES = ["circulating", "circulating-on-chain", "total", "burned", "max", "locked"];

/** `<token-supply figure="circulating" format="full">`: one supply figure in whole tokens. */
export class TokenSupply extends TextElement {
  static readonly observedAttributes = ["figure", "format"];
  readonly path = "/api/supply";

  textOf(value: unknown): { text: string; title: string } | null {
    const figure = this.getAttribute("figure") ?? "circulating";
    if (!FIGURES.includes(figure)) return null;
    const tokens = (value as Record<string, { tokens?: unknown } | null | undefined>)[figure.replaceAll("-", "_")]
      ?.tokens;
    if (typeof tokens !== "string") return null;
    const isCompact = this.getAttribute("format") === "compact";
    return { text: isCompact ? compact(Math.floor(Number(tokens))) : wholeTokens(tokens), title: tokens };
  }
}
