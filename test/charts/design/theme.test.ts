import { describe, expect, it } from 'vitest';
import { COLORS, LINE_COLORS, QUIET, SCHEMES } from '../../../src/charts/design/theme.js';

type Rgb = readonly [red: number, green: number, blue: number];

/** Surfaces that charts are shown on: paper, our own sheets, JupyterLab, VS Code and GitHub, dark and light. */
const SURFACES = ['#ffffff', '#f8f8f8', SCHEMES.dark.paper, '#111111', '#1e1e1e', '#1f1f1f', '#0d1117'];

function rgbOf(color: string): Rgb {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  return [red, green, blue];
}

function linear(color: string): Rgb {
  const [red = 0, green = 0, blue = 0] = rgbOf(color).map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return [red, green, blue];
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio by WCAG 2. */
function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(linear(one)), luminance(linear(other))].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** A colour of some opacity on another, as screens mix them. */
function over(color: string, opacity: number, surface: string): string {
  const below = rgbOf(surface);
  const parts = rgbOf(color).map((part, at) => Math.round(255 * (part * opacity + (below[at] ?? 0) * (1 - opacity))));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Linear RGB as colour-blind readers see it: Machado, Oliveira and Fernandes (2009), severity 1. */
const SIGHTS = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
} as const;

function seen(color: string, sight: keyof typeof SIGHTS): Rgb {
  const parts = linear(color);
  const [red = 0, green = 0, blue = 0] = SIGHTS[sight].map((row) =>
    Math.min(1, Math.max(0, row[0] * parts[0] + row[1] * parts[1] + row[2] * parts[2])),
  );
  return [red, green, blue];
}

/** CIE L*a*b* of linear sRGB under D65. */
function lab([red, green, blue]: Rgb): Rgb {
  const bend = (value: number) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
  const x = bend((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047);
  const y = bend(luminance([red, green, blue]));
  const z = bend((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function distance(one: Rgb, other: Rgb): number {
  const [a, b] = [lab(one), lab(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

it.each([...LINE_COLORS, ...Object.values(COLORS)])('%s stands out from light and from dark surfaces', (color) => {
  for (const surface of SURFACES) expect(contrast(color, surface), surface).toBeGreaterThanOrEqual(3);
});

it.each(['light', 'dark'] as const)('words are legible on the %s sheet, the quiet ones too', (scheme) => {
  const { ink, paper } = SCHEMES[scheme];
  expect(contrast(over(ink, QUIET, paper), paper)).toBeGreaterThanOrEqual(4.5);
});

it.each([
  ['rgb 0.87 on white', '#212121', '#ffffff'],
  ['VS Code, light', '#3b3b3b', '#ffffff'],
  ['VS Code, dark', '#cccccc', '#1f1f1f'],
  ['JupyterLab, dark', '#ffffff', '#111111'],
])('quiet words in the ink of a page are legible: %s', (_page, ink, surface) => {
  expect(contrast(over(ink, QUIET, surface), surface)).toBeGreaterThanOrEqual(4.5);
});

describe.each(['protanopia', 'deuteranopia'] as const)('with %s', (sight) => {
  it.each([
    [COLORS.main, COLORS.loss],
    [COLORS.main, COLORS.rest],
    [COLORS.loss, COLORS.rest],
  ])('%s and %s are told apart', (one, other) => {
    expect(distance(seen(one, sight), seen(other, sight))).toBeGreaterThan(20);
  });
});
