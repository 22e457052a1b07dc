/** Thrown while a page is made, to answer with a page that says why it could not be. */
export class PageError extends Error {
  override name = 'PageError';
  readonly status: 400 | 403 | 404 | 405 | 408 | 410 | 413 | 415 | 429 | 500 | 503;
  readonly heading: string;
  readonly headers: Readonly<Record<string, string>>;

  /** @param detail What to do next. */
  constructor(status: PageError['status'], heading: string, detail: string, headers: Record<string, string> = {}) {
    super(detail);
    this.status = status;
    this.heading = heading;
    this.headers = headers;
  }
}
