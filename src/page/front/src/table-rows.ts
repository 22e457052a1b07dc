import type { Kernel } from '@jupyterlab/services';
import { type Rows, rowsOf } from './kernel-variables.js';

/** Rows that are asked for at once. */
const PAGE = 200;
/** Pages that are kept; those used longest ago are dropped. */
const MOST_PAGES = 30;
const NO_KERNEL = 'No kernel answers yet: the rows come once one does.';

/** A row as it is shown, and its place in the value, from 0. */
export interface TableRow {
  readonly position: number;
  readonly cells: readonly string[];
  /** Its cells with nothing shortened or rounded. */
  readonly whole: readonly string[];
}

/** In which order, and which of, the rows of a variable are looked at. */
export interface TableOrder {
  sort: { readonly column: string; readonly descending: boolean } | undefined;
  filter: string;
}

/** The rows of one variable, of which only those are fetched that are looked at. */
export class TableRows {
  readonly #name: string;
  readonly #kernel: () => Kernel.IKernelConnection | undefined;
  readonly #onChange: () => void;
  #pages = new Map<number, readonly TableRow[]>();
  readonly #fetching = new Set<number>();
  /** Counts what makes the rows others, so that answers of before are dropped. */
  #epoch = 0;
  readonly order: TableOrder = { sort: undefined, filter: '' };
  columns: Rows['columns'] = [];
  total = 0;
  matched = 0;
  /** Why the filter leaves no row, where it does. */
  whyNone: string | undefined;
  /** Why there are no rows, or not the newest; undefined if all is well. */
  why: string | undefined;
  isBusy = false;
  /** Whether an answer has come. */
  isKnown = false;
  /** Whether what is shown is in an order, or left by a filter, of before. */
  isStale = false;

  /** @param onChange Called whenever what is known has changed. */
  constructor(name: string, kernel: () => Kernel.IKernelConnection | undefined, onChange: () => void) {
    this.#name = name;
    this.#kernel = kernel;
    this.#onChange = onChange;
  }

  /** A row; undefined while it is fetched, which this begins. */
  at(row: number): TableRow | undefined {
    const page = Math.floor(row / PAGE);
    const rows = this.#pages.get(page);
    if (!rows) {
      if (this.why === undefined) void this.#fetch(page);
      return undefined;
    }
    this.#pages.delete(page);
    this.#pages.set(page, rows);
    return rows[row - page * PAGE];
  }

  /** Asks anew for the rows around one, which is in sight; what is shown stays until the answer comes. */
  async refresh(row: number): Promise<void> {
    this.#epoch += 1;
    this.#fetching.clear();
    await this.#fetch(Math.floor(row / PAGE), true);
  }

  /** Asks for the first rows, once the order is another; what is shown stays, as stale, until the answer comes. */
  async reorder(): Promise<void> {
    this.isStale = true;
    this.#onChange();
    await this.refresh(0);
  }

  /** Says that rows come once a kernel answers. */
  expect(): void {
    Object.assign(this, { why: NO_KERNEL, isBusy: true });
    this.#onChange();
  }

  /** The value is gone: says why. */
  lose(why: string): void {
    this.#epoch += 1;
    this.#pages.clear();
    this.#fetching.clear();
    Object.assign(this, { why, isBusy: false, isStale: false, total: 0, matched: 0 });
    this.#onChange();
  }

  async #fetch(page: number, isFresh = false): Promise<void> {
    const kernel = this.#kernel();
    if (!kernel) {
      if (this.why === undefined) this.expect();
      else this.#onChange();
      return;
    }
    if (this.#fetching.has(page)) return;
    this.#fetching.add(page);
    const epoch = this.#epoch;
    const { sort, filter } = this.order;
    const request = { name: this.#name, from: page * PAGE, count: PAGE, filter, ...(sort && { sort }) };
    const told = await rowsOf(kernel, request);
    if (epoch !== this.#epoch) return;
    this.#fetching.delete(page);
    if ('answer' in told) this.#take(page, told.answer, isFresh);
    else {
      Object.assign(this, { why: told.why, isBusy: told.isBusy });
      // Rows that another filter left would pass for those of this one.
      if (this.isStale && !told.isBusy) {
        this.#pages.clear();
        Object.assign(this, { matched: 0, isStale: false });
      }
    }
    this.#onChange();
  }

  #take(page: number, { columns, rows, whole, positions, total, matched, why: whyNone }: Rows, isFresh: boolean): void {
    // The rows changed without a cell's end, as by a timer: what else is kept is of before.
    if (isFresh || total !== this.total || matched !== this.matched) this.#pages.clear();
    Object.assign(this, { columns, total, matched, whyNone });
    Object.assign(this, { why: undefined, isBusy: false, isKnown: true, isStale: false });
    this.#pages.set(
      page,
      rows.map((cells, at) => ({ cells, whole: whole[at] ?? cells, position: positions[at] ?? 0 })),
    );
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > MOST_PAGES && oldest !== undefined) this.#pages.delete(oldest);
  }
}
