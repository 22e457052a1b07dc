/**
 * The base of every error that Oddslab throws on purpose. Its message says what was wrong, where, and what would be
 * right; `cause` holds the error beneath, where there is one.
 */
export class OddslabError extends Error {
  override name = 'OddslabError';
}

/** A call or a command was given something that it does not take: an unknown option, a missing argument. */
export class UsageError extends OddslabError {
  override name = 'UsageError';
}

/** An input file is missing, unreadable or not of a known format. */
export class InputError extends OddslabError {
  override name = 'InputError';
}

/** A data folder is missing, empty, damaged, read-only, full or in use. */
export class DataError extends OddslabError {
  override name = 'DataError';
}

/** A frame lacks a column, or has it with another dtype than the measure needs. */
export class ColumnError extends OddslabError {
  override name = 'ColumnError';
}

/** What a {@link ServiceError} knows of the failed request; never the API key. */
export interface ServiceErrorDetails {
  /** HTTP status; absent where no answer came. */
  status?: number;
  /** The service's own id of the request, for its operator. */
  requestId?: string;
  /** How often the request was sent. */
  attempts: number;
  method: string;
  url: string;
}

/** The query service refused a request, failed, or could not be reached. */
export class ServiceError extends OddslabError {
  override name = 'ServiceError';
  readonly details: ServiceErrorDetails;

  constructor(message: string, details: ServiceErrorDetails, options?: ErrorOptions) {
    super(message, options);
    this.details = details;
  }
}

/** The service answered, but its pages or records contradict the contract. */
export class AnswerError extends OddslabError {
  override name = 'AnswerError';
}

/** A notebook is malformed, or one of its cells failed. */
export class NotebookError extends OddslabError {
  override name = 'NotebookError';
}

/** A cell of a notebook did not end in its time. */
export class CellTimeoutError extends NotebookError {
  override name = 'CellTimeoutError';
}

/** A notebook was not run, because its types are wrong, or cannot be checked, and it was asked that they be right. */
export class TypeCheckError extends NotebookError {
  override name = 'TypeCheckError';
}

/** A notebook was run again, and its outputs are not those that it holds. */
export class DriftError extends NotebookError {
  override name = 'DriftError';
}
