/**
 * The base class of all errors that Oddslab throws on purpose. The message says what was wrong, where, and what would
 * be right; `cause` holds the underlying error, if there is one.
 */
export class OddslabError extends Error {
  override name = 'OddslabError';
}

/** A call or a command was used wrongly: an unknown option, a missing argument, a value that is not allowed. */
export class UsageError extends OddslabError {
  override name = 'UsageError';
}

/** An input file is missing or unreadable, or is not in a known format. */
export class InputError extends OddslabError {
  override name = 'InputError';
}

/** A data folder is missing, empty, damaged, read-only, full or in use. */
export class DataError extends OddslabError {
  override name = 'DataError';
}

/** Only a part of what was asked for could be done: that part stays, and the message says what is missing. */
export class IncompleteError extends OddslabError {
  override name = 'IncompleteError';
}

/** A frame lacks a column, or the column has values that the function cannot use. */
export class ColumnError extends OddslabError {
  override name = 'ColumnError';
}

/** What a {@link ServiceError} says about the failed request. It never contains the API key. */
export interface ServiceErrorDetails {
  /** HTTP status; absent if no answer came. */
  status?: number;
  /** The id that the service gave the request, by which its operator can find it. */
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

/** What a {@link SourceError} says about the request that failed. */
export interface SourceErrorDetails {
  /**
   * `refused`: a 4xx or a redirect; `failing`: 429 or 5xx after all tries; `unreachable`: no whole answer came;
   * `unreadable`: no JSON; `shape`: JSON that this version does not know; `repeats`: pages that do not come to an end.
   */
  kind: 'refused' | 'failing' | 'unreachable' | 'unreadable' | 'shape' | 'repeats';
  /** HTTP status; absent if no answer came. */
  status?: number;
  /** What a refusal said, in one line. */
  said?: string;
}

/** A public source of records refused a request, failed, or answered something that cannot be used. */
export class SourceError extends OddslabError {
  override name = 'SourceError';
  readonly details: SourceErrorDetails;

  constructor(message: string, details: SourceErrorDetails, options?: ErrorOptions) {
    super(message, options);
    this.details = details;
  }
}

/** A notebook is malformed, or one of its cells failed. */
export class NotebookError extends OddslabError {
  override name = 'NotebookError';
}

/** A cell of a notebook did not end within its time limit. */
export class CellTimeoutError extends NotebookError {
  override name = 'CellTimeoutError';
}

/** A notebook was not run, because a type check was asked for and found faults or was not possible. */
export class TypeCheckError extends NotebookError {
  override name = 'TypeCheckError';
}

/** A notebook was run again, and its outputs differ from those that it holds. */
export class DriftError extends NotebookError {
  override name = 'DriftError';
}

/** The data hold no record of what was asked for by name, so that there is no answer: not even that it is nothing. */
export class NotSeenError extends OddslabError {
  override name = 'NotSeenError';
}

/** The message of whatever was thrown, which need not be an error. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
