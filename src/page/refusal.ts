import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { DataError, InputError, NotebookError, OddslabError } from '../base/errors.js';
import { systemErrorCode, writeFailure } from '../base/whole-file.js';

/** A request that the page's server does not fulfil. Its message is shown on the page, so it says what would be right. */
export class PageRefusal extends OddslabError {
  override name = 'PageRefusal';
  readonly status: ContentfulStatusCode;

  /** @param status The answer's HTTP status, 400 to 599. */
  constructor(status: ContentfulStatusCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** How a failed call of the system is answered; what is not listed is a fault of ours. */
const STATUSES: Readonly<Record<string, ContentfulStatusCode>> = {
  ENOENT: 404,
  ENOTDIR: 404,
  ELOOP: 404,
  EACCES: 403,
  EPERM: 403,
  EROFS: 403,
  EEXIST: 409,
  ENOTEMPTY: 409,
  EBUSY: 409,
  ETXTBSY: 409,
  EISDIR: 400,
  EINVAL: 400,
  EILSEQ: 400,
  EXDEV: 400,
  ENAMETOOLONG: 400,
  EFBIG: 413,
  EMFILE: 503,
  ENFILE: 503,
  ENOSPC: 507,
  EDQUOT: 507,
};

const READ_FAILURES: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of the path is a file, not a folder',
  ELOOP: 'its links lead in a circle',
  EACCES: 'this user may not read or write it',
  EPERM: 'this user may not read or write it',
  EISDIR: 'it is a folder',
  EINVAL: 'the system does not take it',
  EILSEQ: 'the system does not take such a name',
  EXDEV: 'it would go to another disk; copy it instead',
  ENAMETOOLONG: 'the name is too long',
  EBUSY: 'something else uses it',
};

/**
 * The refusal that answers an error; undefined for a fault of this program, of which an answer tells nothing.
 *
 * @param path What the request was about, as its messages call it.
 */
export function refusalOf(error: unknown, path?: string): PageRefusal | undefined {
  if (error instanceof PageRefusal) return error;
  if (error instanceof RangeError && /call stack/.test(error.message)) {
    return new PageRefusal(400, 'The content is nested too deeply.', { cause: error });
  }
  if (error instanceof InputError || error instanceof NotebookError) {
    return new PageRefusal(400, error.message, { cause: error });
  }
  const code = systemErrorCode(error) ?? (error instanceof DataError ? systemErrorCode(error.cause) : undefined);
  const status = code === undefined ? undefined : STATUSES[code];
  if (code === undefined || status === undefined) return undefined;
  const what = error instanceof DataError ? error.message : `${path ?? 'The file'}: ${readFailure(code, error)}.`;
  return new PageRefusal(status, what, { cause: error });
}

function readFailure(code: string, error: unknown): string {
  return READ_FAILURES[code] ?? writeFailure(error);
}

/** A refusal's body, as Jupyter words it. */
export function problem(message: string) {
  return { message, reason: null };
}
