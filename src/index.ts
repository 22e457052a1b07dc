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
export { column } from './frame/column.js';
export { columnsOf } from './frame/columns-of.js';
export { toCsv } from './frame/csv.js';
export { DataFrame, Series } from './frame/danfo.js';
export { frameFromRecords } from './frame/frame-from-records.js';
export { toText } from './frame/text.js';
export { writeCsv } from './frame/write-csv.js';
export { type Lab, type LabOptions, openLab } from './lab.js';
