import { Chart } from './chart.js';
import { frameOfChart } from './frame-of-chart.js';
import { QUIET } from './theme.js';

/**
 * A chart that says why there is nothing to draw.
 *
 * @param reason A sentence that says what is missing.
 */
export function emptyChart(title: string, reason: string): Chart {
  const frame = frameOfChart({ title, subtitle: [], width: 480, height: 80 });
  return new Chart({
    ...frame,
    description: `${frame.description}. ${reason}`,
    data: { values: [{ reason }] },
    mark: { type: 'text', fontSize: 13, opacity: QUIET },
    encoding: { text: { field: 'reason', type: 'nominal' } },
  });
}
