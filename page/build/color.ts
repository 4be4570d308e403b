/** Linear red, green and blue, each from 0 to 1. */
type Linear = readonly [number, number, number];
type Matrix = readonly [Linear, Linear, Linear];

/**
 * Colours as seen with colour vision deficiencies, in linear RGB (Machado, Oliveira and Fernandes 2009, severity 1).
 * The first row is normal sight.
 */
const VISION: readonly Matrix[] = [
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
];

/** Contrast of two `#rrggbb` colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Smallest distance of two colours in OKLab, over normal, red-blind, green-blind and blue-blind sight. */
export function distance(one: string, other: string): number {
  return Math.min(
    ...VISION.map((matrix) => {
      const [a, b] = [oklab(seen(matrix, linear(one))), oklab(seen(matrix, linear(other)))];
      return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    }),
  );
}

function linear(color: string): Linear {
  const channel = (at: number): number => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function luminance(color: string): number {
  const [red, green, blue] = linear(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function seen(matrix: Matrix, [r, g, b]: Linear): Linear {
  const row = ([x, y, z]: Linear): number => Math.max(0, x * r + y * g + z * b);
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
}

/** Converts linear RGB to OKLab (Ottosson 2020). */
function oklab([r, g, b]: Linear): Linear {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}
