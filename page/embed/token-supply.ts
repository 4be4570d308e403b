import { hasUnlocks, maximum } from "virtual:site";
import { compactDigits, wholeTokens } from "../../src/base/shown-figures.ts";
import { TextElement } from "./element.ts";
import { Source } from "./source.ts";

const FIGURES = ["circulating", "circulating-on-chain", "total", "burned", "max", "locked"];
/** Without an unlock schedule the figures are those of the wallets' document. */
const SUPPLY = hasUnlocks ? new Source("supply", parseSupply) : new Source("supply_breakdown", parseWallets);

/** Parses the figures in the member `supply_breakdown`, and the maximum that the build knows. */
function parseWallets(body: unknown): ReadonlyMap<string, string | null> {
  const breakdown = body as Record<string, unknown>;
  return parseSupply({
    circulating: breakdown["circulating_supply_on_chain"],
    circulating_on_chain: breakdown["circulating_supply_on_chain"],
    total: breakdown["total_supply"],
    burned: breakdown["burned_supply"],
    ...(maximum !== null && { max: { tokens: maximum } }),
  });
}

/** The figures in the member `supply`, in tokens; null where there is none now. Throws for another shape. */
function parseSupply(body: unknown): ReadonlyMap<string, string | null> {
  const members = body as Record<string, { tokens: string } | null | undefined>; // what is of another type throws
  const figures = FIGURES.flatMap((name) => {
    const member = members[name.replaceAll("-", "_")];
    if (member === undefined) return [];
    if (member !== null && !/^\d+(\.\d+)?$/.test(member.tokens)) throw new TypeError(`${name} is not a figure`);
    return [[name, member?.tokens ?? null] as const];
  });
  if (figures.length === 0) throw new TypeError("there is no figure");
  return new Map(figures);
}

/** `<token-supply figure="circulating" format="full">`: one supply figure in whole tokens. */
export class TokenSupply extends TextElement<ReadonlyMap<string, string | null>> {
  static readonly observedAttributes = ["figure", "format", "source"];
  readonly pageMember = SUPPLY;

  textOf(figures: ReadonlyMap<string, string | null>): { text: string; title: string } | null {
    const tokens = figures.get(this.getAttribute("figure") ?? "circulating") ?? null;
    if (tokens === null) return null;
    const isCompact = this.getAttribute("format") === "compact";
    return { text: isCompact ? compactDigits(tokens.split(".")[0] ?? "0") : wholeTokens(tokens), title: tokens };
  }
}
