import type { Token } from "../../src/supply/schedule.ts";
import { sharesOf, tenthsOf } from "./format.ts";
import { type Content, el, type Markup } from "./markup.ts";

/** Least widths in percent of the bar: the circulating part's text and a short text have room on a phone. */
const [ROOM, SHORT_ROOM] = [38, 22];

/** Least width in percent of the bar at which the long text of the locked part has room on a phone. */
export const LONG_ROOM = 31;

/** Draws the maximum as a bar of two parts, circulating and locked, with their shares if they have room. */
export function supplyBar(circulating: bigint, maximum: bigint, { decimals }: Pick<Token, "decimals">): Content[] {
  const percent = maximum > 0n ? Number((circulating * 10_000n) / maximum) / 100 : 0;
  const rest = Math.round((100 - percent) * 100) / 100;
  const [shown, lockedShare] = sharesOf(circulating, maximum, 1);
  const [words, locked] = [`${shown} circulating`, `${lockedShare} locked`];
  const isInside = percent >= ROOM;
  const part = (name: string, x: number, width: number): Markup =>
    el("rect", { class: name, x: `${x}%`, width: `${width}%`, height: "100%" });
  const text = (attributes: Markup["attributes"], ...content: readonly Content[]): Markup =>
    el("text", { y: "50%", dy: ".35em", ...attributes }, ...content);
  const long = el("tspan", { class: "long" }, `${locked}, `);
  return [
    el(
      "svg",
      { class: "bar", width: "100%", "aria-hidden": "true" },
      part("circulating", 0, percent),
      part("locked", percent, rest),
      text(
        { class: isInside ? "inside" : "", x: isInside ? 0 : `${percent}%`, dx: ".8em" },
        rest < SHORT_ROOM && rest > 0 ? `${words}, ${locked}` : words,
      ),
      ...(rest < SHORT_ROOM
        ? []
        : [
            text(
              { x: "100%", dx: "-.8em", "text-anchor": "end" },
              ...(rest < LONG_ROOM ? [] : [long]),
              tenthsOf(maximum - circulating, decimals),
            ),
          ]),
    ),
  ];
}
