import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ChainFamily, DEFAULT_FAMILY, familyOf } from "../../src/families/family.ts";
import type { Token } from "../../src/supply/schedule.ts";
import { Refusal } from "../../tools/lib/command-line.ts";
import { compileSchema } from "../../tools/lib/json-schema.ts";
import schema from "../brand.schema.json" with { type: "json" };
import type { Brand, Theme } from "../view/site.ts";
import { contrast, distance } from "./color.ts";

const PAGE = join(import.meta.dirname, "..");

/** Contrast that WCAG 2.2 requires: 1.4.3 for text, 1.4.11 for graphics. */
const TEXT_CONTRAST = 4.5;
const GRAPHICS_CONTRAST = 3;
/** Smallest distance of two bucket colours in OKLab. Some readers confuse closer ones. */
const SERIES_DISTANCE = 0.1;

export type BrandResult =
  | { readonly kind: "brand"; readonly brand: Brand }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

const brandShapeErrors = compileSchema(schema);

/** Validates the text of a brand file. Every problem names the place in the file and the rule. */
export function parseBrand(
  text: string,
  hasAsset: (path: string) => boolean,
  family: ChainFamily = DEFAULT_FAMILY,
): BrandResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return { kind: "problems", problems: [`not valid JSON: ${cause instanceof Error ? cause.message : ""}`] };
  }
  const misshapen = brandShapeErrors(value).map(({ path, message }) => `${path || "file"}: ${message}`);
  if (misshapen.length > 0) return { kind: "problems", problems: misshapen };
  const brand = value as Brand; // its schema has no errors
  const problems = [
    ...themeProblems("colors.light", brand.colors.light),
    ...themeProblems("colors.dark", brand.colors.dark),
    ...seriesProblems(brand.colors),
    ...chainProblems(brand, family),
  ];
  if (!hasAsset(brand.logo)) problems.push(`logo: page/public${brand.logo} does not exist`);
  return problems.length > 0 ? { kind: "problems", problems } : { kind: "brand", brand };
}

/**
 * Reads the brand of this checkout, with `{token}` and `{symbol}` replaced; throws a {@link Refusal} with every
 * problem.
 */
export function readBrand(token: Pick<Token, "name" | "symbol">, family: ChainFamily): Brand {
  const text = readFileSync(join(PAGE, "brand.json"), "utf8");
  const result = parseBrand(text, (path) => existsSync(join(PAGE, "public", path)), family);
  if (result.kind === "problems") {
    throw new Refusal(result.problems.map((problem) => `page/brand.json: ${problem}`));
  }
  const fill = (words: string): string =>
    words.replaceAll(/\{(token|symbol)\}/g, (_, name) => (name === "token" ? token.name : token.symbol));
  const { brand } = result;
  const yields = Object.entries(brand.yields ?? {}).map(
    ([id, { steps = [], ...product }]) => [id, { ...product, steps: steps.map(fill) }] as const,
  );
  return {
    ...brand,
    yields: Object.fromEntries(yields),
    name: fill(brand.name),
    title: fill(brand.title),
    description: fill(brand.description),
    footer: fill(brand.footer),
  };
}

/** Colours of a proof on its own ground, which every brand has alike. */
const GOOD = {
  light: { good: "#146c43", "good-ground": "#e6f4ec" },
  dark: { good: "#7fd6a5", "good-ground": "#12291d" },
  system: { good: "CanvasText", "good-ground": "Canvas" },
} as const;

/** Where the reader has chosen the colours of all pages. */
const SYSTEM: Theme = {
  background: "Canvas",
  panel: "Canvas",
  text: "CanvasText",
  muted: "CanvasText",
  line: "GrayText",
  accent: "LinkText",
  warning: "CanvasText",
};

/** Writes the colours as custom properties: both themes, and the chart's bands, which are the same in both. */
export function brandStyles({ colors: { light, dark, series } }: Brand): string {
  const rules = (theme: Theme, ground: keyof typeof GOOD): string =>
    Object.entries({ ...theme, "on-text": theme.background, ...GOOD[ground] })
      .map(([name, color]) => `--${name}:${color}`)
      .join(";");
  const bands = series.map((color, index) => `--series-${index}:${color}`).join(";");
  return `:root{${bands};${rules(light, "light")}}@media screen and (prefers-color-scheme:dark){:root{${rules(dark, "dark")}}}@media(forced-colors:active){:root{${rules(SYSTEM, "system")}}}`;
}

/** Checks that addresses of nodes and explorers end as the chain's family requires. */
function chainProblems({ explorer, nodes = [] }: Brand, family: ChainFamily): string[] {
  const { chain, urlEnd, explorerEnd } = familyOf(family);
  return [
    ...nodes.flatMap(({ url }, index) =>
      url.endsWith(urlEnd) ? [] : [`nodes[${index}].url: must be an https address that ends in ${urlEnd}`],
    ),
    ...(explorer === undefined || explorerEnd === null || explorer.endsWith(explorerEnd)
      ? []
      : [`explorer: must end in ${explorerEnd} on ${chain}, such as https://explorer.example${explorerEnd}`]),
  ];
}

function themeProblems(place: string, theme: Theme): string[] {
  const problems: string[] = [];
  const requireContrast = (name: string, color: string, on: "background" | "panel", ratio: number): void => {
    const found = contrast(color, theme[on]);
    if (found < ratio) {
      problems.push(
        `${place}.${name}: contrast with ${on} ${theme[on]} is ${found.toFixed(2)}, at least ${ratio} is required`,
      );
    }
  };
  for (const name of ["text", "muted", "accent", "warning"] as const) {
    requireContrast(name, theme[name], "background", TEXT_CONTRAST);
    requireContrast(name, theme[name], "panel", TEXT_CONTRAST);
  }
  return problems;
}

/** Checks the bands' colours on light and dark backgrounds: an embed does not know which one it is on. */
function seriesProblems({ light, dark, series }: Brand["colors"]): string[] {
  const behind = [light.background, light.panel, dark.background, dark.panel, "#ffffff"];
  return series.flatMap((color, index) => {
    const problems: string[] = [];
    for (const back of new Set(behind)) {
      const found = contrast(color, back);
      if (found < GRAPHICS_CONTRAST)
        problems.push(
          `colors.series[${index}]: contrast with ${back} is ${found.toFixed(2)}, at least ${GRAPHICS_CONTRAST} is required`,
        );
    }
    for (const [earlier, other] of series.slice(0, index).entries()) {
      const found = distance(color, other);
      if (found < SERIES_DISTANCE)
        problems.push(
          `colors.series[${index}]: too close to series[${earlier}] for colour-blind readers (${found.toFixed(3)}, at least ${SERIES_DISTANCE} is required)`,
        );
    }
    return problems;
  });
}
