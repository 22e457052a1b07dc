import { UsageError } from '../../base/errors.js';
import { knownOptions } from '../../base/nearest.js';
import type { CsvOptions } from '../csv/csv-options.js';
import { toCsv } from '../csv/to-csv.js';
import { recordsOf } from '../tabular/column-values.js';
import type { Tabular } from '../tabular/tabular.js';
import type { Cell } from '../vector/vector.js';
import { type Internals, type Mending, replaceMethods } from './danfo-internals.js';

/**
 * Mends what danfo says is written: `toCSV` answers the text of {@link toCsv} and takes its options, `toJSON` the
 * records, or the columns; both refuse a path, `toExcel` and `plot` everything, and say which function of ours does it.
 *
 * @param asFrame The frame that an object is, or would be.
 */
export function mendWriting(prototype: Internals, asFrame: (self: Internals) => Tabular): void {
  replaceMethods(prototype, {
    toCSV: given((self, options) => {
      refusePath('toCSV', options, "writeCsv(frame, 'pnl.csv')");
      if ('sep' in options) throw new UsageError("toCSV says its separator as { delimiter: ';' }; got sep.");
      return toCsv(asFrame(self), options as CsvOptions);
    }),
    toJSON: given((self, options) => {
      refusePath('toJSON', options, "writeJsonLines(frame, 'pnl.ndjson')");
      knownOptions('toJSON', options, ['format']);
      const { format = 'column' in self ? 'row' : 'column' } = options as { format?: unknown };
      if (format !== 'row' && format !== 'column')
        throw new UsageError(`format of toJSON must be "row" or "column"; got ${JSON.stringify(format)}.`);
      return format === 'row' ? recordsOf(asFrame(self) as never) : columnsIn(asFrame(self));
    }),
    toExcel: given(() => {
      throw new UsageError(
        "toExcel writes nothing here: await writeXlsx(frame, 'pnl.xlsx'), or writeCsv(frame, 'pnl.csv').",
      );
    }),
    plot: given(() => {
      throw new UsageError(
        'plot() draws in a browser page alone: use the chart functions, such as cumulativePnlChart(frame), or new Chart(spec).',
      );
    }),
  });
}

/** A method of options, which `JSON.stringify` calls with a key, too. */
function given(answer: (self: Internals, options: object) => unknown): Mending {
  return () =>
    function (options) {
      return answer(this, typeof options === 'object' && options !== null ? options : {});
    };
}

function refusePath(method: string, options: object, ours: string): void {
  const path = ['filePath', 'fileName', 'download', 'downloadName'].find((name) => name in options);
  if (path !== undefined)
    throw new UsageError(`${method} answers and writes no file; got ${path}. Write one by await ${ours}.`);
}

function columnsIn(frame: Tabular): Record<string, readonly Cell[]> {
  const records = recordsOf(frame as never) as Record<string, Cell>[];
  return Object.fromEntries(frame.columns.map((name) => [name, records.map((record) => record[name])]));
}
