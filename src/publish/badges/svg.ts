import { xmlText } from "../../base/xml.ts";

/** Content of a badge: a grey half with the figure's name, a coloured half with its value. */
export interface Badge {
  readonly label: string;
  readonly message: string;
  /** Colour of the right half as `#rrggbb`, with a contrast of at least 4.5:1 to white. */
  readonly color: string;
}

const LABEL_COLOR = "#4a5560";
const HEIGHT = 20;
const PADDING = 6;
/** Mean widths of characters in 11 px Verdana; `textLength` corrects the difference. */
const NARROW = /[ .,:;!|'ijlI1]/;
const WIDE = /[mwMW%]/;

/** Draws a flat badge in the common style; screen readers read its title. */
export function badgeSvg({ label, message, color }: Badge): string {
  const [left, right] = [textWidth(label) + 2 * PADDING, textWidth(message) + 2 * PADDING];
  const width = left + right;
  const title = xmlText(`${label}: ${message}`);
  const text = (x: number, length: number, content: string): string =>
    `<text x="${x}" y="14" textLength="${length}" lengthAdjust="spacingAndGlyphs">${xmlText(content)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<clipPath id="r"><rect width="${width}" height="${HEIGHT}" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${left}" height="${HEIGHT}" fill="${LABEL_COLOR}"/>`,
    `<rect x="${left}" width="${right}" height="${HEIGHT}" fill="${color}"/></g>`,
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">`,
    text(PADDING, left - 2 * PADDING, label),
    text(left + PADDING, right - 2 * PADDING, message),
    "</g></svg>",
  ].join("");
}

function textWidth(text: string): number {
  return Math.ceil([...text].reduce((sum, each) => sum + (NARROW.test(each) ? 4.5 : WIDE.test(each) ? 10.5 : 7), 0));
}
