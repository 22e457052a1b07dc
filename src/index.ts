export { type CumulativePnlRecord, cumulativePnl } from './analysis/cumulative-pnl.js';
export { type Drawdown, drawdown } from './analysis/drawdown.js';
export { formatPercent } from './analysis/format-percent.js';
export { formatUsd } from './analysis/format-usd.js';
export { type Roi, roi } from './analysis/roi.js';
export { totalVolume } from './analysis/total-volume.js';
export { type VolumeRecord, volume } from './analysis/volume.js';
export { type WinRate, type WinRateOptions, winRate } from './analysis/win-rate.js';
export { type WinRateRecord, winRateBy } from './analysis/win-rate-by.js';
export { Chart } from './charts/chart.js';
export { type CumulativePnlChartOptions, cumulativePnlChart } from './charts/cumulative-pnl-chart.js';
export { type VolumeByEventChartOptions, volumeByEventChart } from './charts/volume-by-event-chart.js';
export { type WinRateChartOptions, winRateChart } from './charts/win-rate-chart.js';
export {
  Client,
  type ConnectOptions,
  connect,
  type LifetimeRecord,
  type MarketRecord,
  type PnlRecord,
} from './client/connect.js';
export { Query } from './client/query.js';
export type { Granularity } from './contract/bucket.js';
export type { Column, Dtype } from './contract/column.js';
export {
  AnswerError,
  ColumnError,
  DataError,
  InputError,
  NotebookError,
  OddslabError,
  ServiceError,
  type ServiceErrorDetails,
  UsageError,
} from './errors.js';
export { count, max, mean, min, sum } from './frame/aggregation.js';
export { column } from './frame/column.js';
export { columnsOf } from './frame/columns-of.js';
export { type CsvOptions, toCsv } from './frame/csv.js';
export { DataFrame, Series } from './frame/danfo.js';
export { frameFromRecords } from './frame/frame-from-records.js';
export { groupBy } from './frame/group-by.js';
export { recordsOf } from './frame/records-of.js';
export { sortBy } from './frame/sort-by.js';
export { toText } from './frame/text.js';
export { topN } from './frame/top-n.js';
export { type WrittenFile, writeCsv } from './frame/write-csv.js';
export { type Lab, type LabOptions, openLab } from './lab.js';
