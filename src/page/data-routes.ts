import type { Hono } from 'hono';
import type { Notebook } from '../notebook/format/nbformat.js';

/** What the page's launcher offers to begin with: a new notebook with cells for the data at hand, or one that is there. */
export type Starter = NewNotebook | ThereNotebook;

interface Card {
  /** What its card says, such as `Wallet tear sheet`. */
  readonly title: string;
  /** A line on what it shows. */
  readonly caption: string;
}

interface NewNotebook extends Card {
  /** The new file's name without its ending; the page adds a number where it is taken. */
  readonly name: string;
  readonly notebook: Notebook;
}

interface ThereNotebook extends Card {
  /** Where the notebook is, below the page's folder, with `/` between names. */
  readonly path: string;
}

/**
 * Adds the route from which the launcher takes its starters: `GET /oddslab/api/data`.
 *
 * @param starters Asked anew for each answer, since data and files change while the page is open.
 */
export function addDataRoutes(app: Hono, starters: () => Promise<readonly Starter[]>): void {
  app.get('/oddslab/api/data', async (context) => context.json({ starters: await starters() }));
}
