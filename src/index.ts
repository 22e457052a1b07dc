// Cells of tslab know Node's own modules only if the declarations of a package name them.
/// <reference types="node" preserve="true" />
import { showInTslab } from './show-in-tslab.js';

export { type BetaPrior, betaPrior } from './analysis/beta-prior.js';
export { type BootstrapInterval, type BootstrapOptions, bootstrapInterval } from './analysis/bootstrap-interval.js';
export { type BrierOptions, type BrierScore, brierScore } from './analysis/brier-score.js';
export { type CalibrationOptions, type CalibrationRecord, calibration } from './analysis/calibration.js';
export {
  type ClosingLineOptions,
  type ClosingLineRow,
  type ClosingLineValue,
  closingLines,
  closingLineValue,
} from './analysis/closing-line-value.js';
export {
  type Concentration,
  type ConcentrationOptions,
  concentration,
  type LorenzRecord,
  lorenzCurve,
} from './analysis/concentration.js';
export { type CumulativePnlRecord, cumulativePnl } from './analysis/cumulative-pnl.js';
export { type CumulativeRoiRecord, cumulativeRoi } from './analysis/cumulative-roi.js';
export {
  type Drawdown,
  type DrawdownRecord,
  drawdown,
  drawdowns,
  type RecoveryFactor,
  recoveryFactor,
} from './analysis/drawdowns.js';
export { type Exposure, type ExposureOptions, exposure } from './analysis/exposure.js';
export { favouriteLongshotBias, type LongshotRecord } from './analysis/favourite-longshot-bias.js';
export { type HalfRecord, type Halves, type HalvesOptions, halves } from './analysis/halves.js';
export { type HoldingTimeRecord, type HoldingTimesOptions, holdingTimes } from './analysis/holding-times.js';
export { type LeaderboardOptions, type LeaderboardRecord, leaderboard } from './analysis/leaderboard.js';
export { type LogLoss, type LogLossOptions, logLoss } from './analysis/log-loss.js';
export type { MeasureName } from './analysis/named-measure.js';
export { type OutcomeShareRecord, outcomeShares } from './analysis/outcome-shares.js';
export {
  type Expectancy,
  expectancy,
  type KellyFraction,
  kellyFraction,
  type PayoffRatio,
  type ProfitFactor,
  payoffRatio,
  profitFactor,
} from './analysis/payoffs.js';
export { type PnlByEntryRecord, type PnlByOptions, pnlBy } from './analysis/pnl-by.js';
export type { RangeOptions } from './analysis/records/asked-range.js';
export type { ByOption, GroupRecord } from './analysis/records/by-group.js';
export type { ForecastOptions } from './analysis/records/forecasts.js';
export type { CapitalOptions } from './analysis/risk-adjusted-return.js';
export { type Calmar, calmar, type Sharpe, type Sortino, sharpe, sortino } from './analysis/risk-adjusted-return.js';
export { type Roi, type RoiRecord, roi, roiBy } from './analysis/roi.js';
export { type RollingWinRateOptions, type RollingWinRateRecord, rollingWinRate } from './analysis/rolling-win-rate.js';
export { formatPercent, formatUsd } from './analysis/shown-result.js';
export { type Streak, type StreakFigures, type Streaks, streaks } from './analysis/streaks.js';
export {
  type TimeToResolutionRow,
  type TurnoverRow,
  timeToResolution,
  turnover,
} from './analysis/time-to-resolution.js';
export { type TrackRecord, type TrackRecordOptions, trackRecord } from './analysis/track-record.js';
export { totalVolume, type VolumeOptions, type VolumeRecord, volume } from './analysis/volume.js';
export { type VolumeDistributionRecord, volumeDistribution } from './analysis/volume-distribution.js';
export { type WinRate, type WinRateOptions, type WinRateRecord, winRate, winRateBy } from './analysis/win-rate.js';
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
} from './base/errors.js';
export { calendarChart } from './charts/calendar-chart.js';
export { type CalibrationChartOptions, calibrationChart } from './charts/calibration-chart.js';
export { type CumulativePnlChartOptions, cumulativePnlChart } from './charts/cumulative-pnl-chart.js';
export type { ChartOptions } from './charts/design/chart-options.js';
export type { ChartSpec } from './charts/design/chart-spec.js';
export { Chart, type ChartBundle, type PictureOptions } from './charts/drawing/chart.js';
export type { ChartTheme } from './charts/drawing/svg-text.js';
export { type FacetOptions, facet } from './charts/facet.js';
export { type FavouriteLongshotChartOptions, favouriteLongshotChart } from './charts/favourite-longshot-chart.js';
export { type ComparedHalves, halvesChart } from './charts/halves-chart.js';
export { type LeaderboardChartOptions, leaderboardChart } from './charts/leaderboard-chart.js';
export { type LorenzChartOptions, lorenzChart } from './charts/lorenz-chart.js';
export { marketLifetimesChart } from './charts/market-lifetimes-chart.js';
export { type PnlByPeriodChartOptions, pnlByPeriodChart } from './charts/pnl-by-period-chart.js';
export { type RoiByWalletChartOptions, roiByWalletChart } from './charts/roi-by-wallet-chart.js';
export { type VolumeByEventChartOptions, volumeByEventChart } from './charts/volume-by-event-chart.js';
export { volumeDistributionChart } from './charts/volume-distribution-chart.js';
export { type VolumeOverTimeChartOptions, volumeOverTimeChart } from './charts/volume-over-time-chart.js';
export { type WinRateChartOptions, winRateChart } from './charts/win-rate-chart.js';
export {
  type CandleFilters,
  type CandleRecord,
  Client,
  connect,
  type LeaderboardFilters,
  type LeaderboardPlace,
  type LifetimeFilters,
  type LifetimeRecord,
  type MarketFilters,
  type MarketRecord,
  type PnlByRecord,
  type PnlFilters,
  type PnlGroup,
  type PnlRecord,
  type PnlRow,
  type PositionFilters,
  type PositionRecord,
  type TradeFilters,
  type TradeRecord,
  type WalletsOptions,
} from './client/connect.js';
export type { ConnectOptions } from './client/connect-options.js';
export { Query } from './client/dataset-query.js';
export type { Progress, RunOptions } from './client/run-options.js';
export type { SnapshotMode } from './client/snapshot/snapshot-options.js';
export type { TransportOptions, Wait } from './client/transport/transport-options.js';
export type { AnswerNotes, LeaderboardWindow, UnknownName } from './contract/answer-notes.js';
export type { Completeness, MissingPart } from './contract/completeness.js';
export type { Column, Dtype } from './contract/definition.js';
export type { CandleInterval, Granularity } from './contract/time.js';
export type { CsvFileOptions, CsvOptions } from './frame/csv/csv-options.js';
export { writeJsonLines } from './frame/csv/json-lines.js';
export type { WriteOptions, WriteProgress, WrittenFile } from './frame/csv/named-file.js';
export { toCsv } from './frame/csv/to-csv.js';
export { writeCsv } from './frame/csv/write-csv.js';
export { DataFrame, Series } from './frame/danfo/danfo.js';
export { frameFromRecords } from './frame/decode/frame-from-records.js';
export { toText } from './frame/display/frame-text.js';
export { type ParquetOptions, readParquet, writeParquet } from './frame/files/parquet.js';
export { readArrow } from './frame/files/read-arrow.js';
export { type ReadCsvOptions, readCsv } from './frame/files/read-csv.js';
export { type ReadJsonLinesOptions, readJsonLines } from './frame/files/read-json-lines.js';
export { type ArrowOptions, writeArrow } from './frame/files/write-arrow.js';
export { writeXlsx, type XlsxOptions } from './frame/files/write-xlsx.js';
export { query, type SqlParameter, type SqlParameters } from './frame/sql/sql-query.js';
export { column, recordsOf } from './frame/tabular/column-values.js';
export { columnsOf } from './frame/tabular/columns-of.js';
export { completenessOf, type WalletCompleteness } from './frame/tabular/completeness.js';
export type { Provenance } from './frame/tabular/provenance.js';

export { type BucketOptions, bucketBy } from './frame/verbs/bucket-by.js';
export type { BucketPeriod, WeekStart } from './frame/verbs/calendar.js';
export { concatRows } from './frame/verbs/concat-rows.js';
export { type CorrelateOptions, type CorrelationMethod, correlate } from './frame/verbs/correlate.js';
export { type CumulativeMeasure, type CumulativeOptions, cumulative } from './frame/verbs/cumulative.js';
export { type ColumnSummary, describe } from './frame/verbs/describe.js';
export { exactColumn, exactSum } from './frame/verbs/exact-sum.js';
export { first, last, max, min } from './frame/verbs/extreme.js';
export { type FillDaysOptions, fillDays } from './frame/verbs/fill-days.js';
export { filterRows, type RowMask, type RowTest } from './frame/verbs/filter-rows.js';
export { distinct, groupBy } from './frame/verbs/group-by.js';
export type { JoinValidation } from './frame/verbs/join-keys.js';
export { type JoinOptions, joinOn } from './frame/verbs/join-on.js';
export { count, nUnique } from './frame/verbs/measure.js';
export { type PivotOptions, pivot } from './frame/verbs/pivot.js';
export { median, quantile } from './frame/verbs/quantile.js';
export { type ResampleOptions, resample } from './frame/verbs/resample.js';
export { type RollingMeasure, type RollingOptions, type RollingWindow, rolling } from './frame/verbs/rolling.js';
export type { RowView } from './frame/verbs/row-view.js';
export { dropColumns, renameColumns, selectColumns } from './frame/verbs/select-columns.js';
export { type ShiftOptions, shift } from './frame/verbs/shift.js';
export { type SortKey, sortBy, topN } from './frame/verbs/sort-by.js';
export { mean, std, sum, weightedMean } from './frame/verbs/sum-and-mean.js';
export { type NewColumn, withColumns } from './frame/verbs/with-columns.js';
export { type Lab, type LabOptions, openLab } from './lab.js';
export type { SheetFrames } from './report/sheet-data.js';
export { TearSheet, type TearSheetOptions, tearSheet } from './report/tear-sheet.js';

showInTslab();
