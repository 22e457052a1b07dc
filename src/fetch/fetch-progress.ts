import { counted } from '../base/texts.js';

/** The shortest time between two texts, in milliseconds. */
const INTERVAL_MS = 100;

/** Tells how far a fetch is: pages, records, the date reached, the rate and the time left. */
export class FetchProgress {
  readonly #tell: (text: string) => void;
  readonly #subject: string;
  #step = '';
  #begun = 0;
  #toldAt = 0;
  #pages = 0;
  #rows = 0;

  /** @param subject What is fetched, in a few words. */
  constructor(subject: string, tell: (text: string) => void = () => {}) {
    this.#subject = subject;
    this.#tell = tell;
  }

  /** Begins a step, such as `activity` or `markets`. */
  begin(step: string): void {
    this.#step = step;
    this.#begun = performance.now();
    [this.#pages, this.#rows, this.#toldAt] = [0, 0, 0];
    this.#tell(`${this.#subject}: ${step}`);
  }

  /**
   * Tells of a page.
   *
   * @param time Unix seconds that the records have reached.
   * @param share Part of the step that is done, in [0, 1], for the time left.
   */
  page(rows: number, { time, share }: { time?: number | null; share?: number } = {}): void {
    this.#pages++;
    this.#rows += rows;
    if (!this.#isDue()) return;
    const seconds = (performance.now() - this.#begun) / 1000;
    const left = share !== undefined && share > 0.01 && seconds > 2 ? (seconds * (1 - share)) / share : undefined;
    this.#tell(
      [
        `${this.#subject}: ${this.#step}`,
        counted(this.#pages, 'page'),
        counted(this.#rows, 'row'),
        ...(time === undefined || time === null ? [] : [`up to ${new Date(time * 1000).toISOString().slice(0, 10)}`]),
        ...(seconds > 1 ? [`${Math.round(this.#rows / seconds).toLocaleString('en-US')} rows/s`] : []),
        ...(left === undefined
          ? []
          : [`about ${left > 120 ? `${Math.round(left / 60)} min` : `${Math.ceil(left)} s`} left`]),
      ].join(' · '),
    );
  }

  #isDue(): boolean {
    const now = performance.now();
    if (now - this.#toldAt < INTERVAL_MS) return false;
    this.#toldAt = now;
    return true;
  }
}
