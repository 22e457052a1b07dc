import { COLORS } from './theme.js';

/** Gains are filled, losses hollow with an outline, so that they are told apart without colour. */
export const GAIN_OR_LOSS = {
  fill: { condition: { test: 'datum.pnl < 0', value: COLORS.loss }, value: COLORS.main },
  fillOpacity: { condition: { test: 'datum.pnl < 0', value: 0.25 }, value: 0.95 },
  stroke: { condition: { test: 'datum.pnl < 0', value: COLORS.loss }, value: COLORS.main },
} as const;

/** What a subtitle says of {@link GAIN_OR_LOSS}. */
export const GAIN_OR_LOSS_KEY = 'Filled: gain; hollow: loss';
