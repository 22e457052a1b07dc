import { expect, it } from 'vitest';
import { COLORS, DASHES, LINE_COLORS } from '../../src/charts/theme.js';

/** Contrast ratio by WCAG 2. */
function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

it.each([...LINE_COLORS, COLORS.main, COLORS.loss, COLORS.rest])('%s stands out from the background', (color) => {
  expect(contrast(color, COLORS.background)).toBeGreaterThanOrEqual(3);
});

it.each([COLORS.text, COLORS.quiet])('%s is legible as text', (color) => {
  expect(contrast(color, COLORS.background)).toBeGreaterThanOrEqual(4.5);
});

it('has a dash pattern of its own for each line', () => {
  expect(new Set(DASHES.map(String)).size).toBe(LINE_COLORS.length);
});
