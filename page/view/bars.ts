import type { Token } from "../../src/supply/schedule.ts";
import { tenthsOf } from "./format.ts";
import { type Content, el, type Markup } from "./markup.ts";

/**
 * Least widths, in percent of the bar, at which a text has room on a phone. First the text of the circulating part,
 * then the short and the long text of the locked part.
 */
const [ROOM, SHORT_ROOM, LONG_ROOM] = [38, 22, 31];

/** Draws the maximum as a bar of two parts, circulating and locked, with their shares if they have room. */
export function supplyBar(circulating: bigint, maximum: bigint, { decimals }: Pick<Token, "decimals">): Content[] {
  const percent = maximum > 0n ? Number((circulating * 10_000n) / maximum) / 100 : 0;
  const rest = Math.round((100 - percent) * 100) / 100;
  const part = (name: string, x: number, width: number): Markup =>
    el("rect", { class: name, x: `${x}%`, width: `${width}%`, height: "100%" });
  const shown = Math.floor(percent * 10) / 10;
  const locked = `${(100 - shown).toFixed(1)}% locked`;
  const isInside = percent >= ROOM;
  const amount = tenthsOf(maximum - circulating, decimals);
  const words =
    rest < SHORT_ROOM && rest > 0 ? `${shown.toFixed(1)}% circulating, ${locked}` : `${shown.toFixed(1)}% circulating`;
  const long = el("tspan", { class: "long" }, `${locked}, `);
  return [
    el(
      "svg",
      { class: "bar", width: "100%", "aria-hidden": "true" },
      part("circulating", 0, percent),
      part("locked", percent, rest),
      el(
        "text",
        { class: isInside ? "inside" : "", x: isInside ? 0 : `${percent}%`, y: "50%", dx: ".8em", dy: ".35em" },
        words,
      ),
      ...(rest < SHORT_ROOM
        ? []
        : [
            el(
              "text",
              { x: "100%", y: "50%", dx: "-.8em", dy: ".35em", "text-anchor": "end" },
              ...(rest < LONG_ROOM ? [] : [long]),
              amount,
            ),
          ]),
    ),
  ];
}
