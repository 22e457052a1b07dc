import { COLORS } from './theme.js';

/** Fills gains and leaves losses hollow with an outline, so that colour is not needed to tell them apart. */
export const GAIN_OR_LOSS = {
  fill: { condition: { test: 'datum.pnl < 0', value: COLORS.loss }, value: COLORS.main },
  fillOpacity: { condition: { test: 'datum.pnl < 0', value: 0.25 }, value: 0.95 },
  stroke: { condition: { test: 'datum.pnl < 0', value: COLORS.loss }, value: COLORS.main },
} as const;

/** The subtitle's key to {@link GAIN_OR_LOSS}. */
export const GAIN_OR_LOSS_KEY = 'Filled: gain; hollow: loss';
