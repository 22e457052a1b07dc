/** One request that came. */
export interface LoggedRequest {
  service: 'gamma' | 'data' | 'clob';
  path: string;
  query: URLSearchParams;
  userAgent: string;
  /** Milliseconds since the source was started. */
  at: number;
  /** What was answered; 0 if the connection was ended before. */
  status: number;
}

/** What came to a source, for assertions. */
export class RequestLog {
  readonly all: LoggedRequest[] = [];
  /** The most requests that were being answered at one moment. */
  mostInFlight = 0;
  #inFlight = 0;

  /** Notes a request, and gives the function that notes its end. */
  begin(request: LoggedRequest): () => void {
    this.all.push(request);
    this.mostInFlight = Math.max(this.mostInFlight, ++this.#inFlight);
    return () => {
      this.#inFlight--;
    };
  }

  /** The requests for a path, or for paths that fit. */
  of(path: string | RegExp): LoggedRequest[] {
    return this.all.filter((each) => (typeof path === 'string' ? each.path === path : path.test(each.path)));
  }

  /** The most requests of a service within any window of this length. */
  mostWithin(windowMs: number, service: LoggedRequest['service']): number {
    const times = this.all.filter((each) => each.service === service).map(({ at }) => at);
    let [most, first] = [0, 0];
    for (const [last, time] of times.entries()) {
      while (time - (times[first] ?? 0) > windowMs) first++;
      most = Math.max(most, last - first + 1);
    }
    return most;
  }

  /** Forgets what came so far. */
  clear(): void {
    this.all.length = 0;
    this.mostInFlight = this.#inFlight;
  }
}
