import { Chart } from './chart.js';
import { frameOfChart } from './frame-of-chart.js';
import { QUIET } from './theme.js';

/**
 * What stands in a chart's place where there is nothing to draw.
 *
 * @param reason What is missing, as a sentence.
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
