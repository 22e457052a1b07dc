import { setTimeout as pause } from 'node:timers/promises';
import type { Hono } from 'hono';

/** What every page asks at its start, and what is the same as long as the server runs. */
const LASTING = [
  '/lab/api/translations',
  '/lab/api/translations/default',
  '/api/kernelspecs',
  '/api/nbconvert',
  '/api/status',
];
/** What every page asks at its start, and what may change. */
const PASSING = [
  '/lab/api/settings',
  '/lab/api/settings/@jupyterlab/docmanager-extension:plugin',
  '/lab/api/workspaces',
  '/api/sessions',
  '/api/kernels',
];

/** The longest that the page is kept for an answer, such as of a folder on a slow network. */
const SOON_MS = 1000;

/** An answer that the server gives before it is asked. */
export interface StartAnswer {
  /** The path and the query of the request that it answers. */
  readonly address: string;
  /** JSON. */
  readonly text: string;
  /** Whether nothing that the page does changes it. */
  readonly isLasting: boolean;
}

/**
 * What a page will ask as soon as it starts, so that it need not: what its routes answer now.
 *
 * @param more Further addresses, of what this page shows.
 * @returns The answers of those that did not fail, and came soon: the page asks for the others, and can say what is wrong.
 */
export async function startAnswers(app: Hono, more: readonly string[]): Promise<StartAnswer[]> {
  const ask = async (address: string, isLasting: boolean): Promise<StartAnswer[]> => {
    const text = await Promise.race([textOf(app, address), pause(SOON_MS, undefined, { ref: false })]);
    return text === undefined ? [] : [{ address, text, isLasting }];
  };
  const lasting = LASTING.map((address) => ask(address, true));
  const passing = [...PASSING, ...more].map((address) => ask(address, false));
  return (await Promise.all([...lasting, ...passing])).flat();
}

/** What the routes answer, up to its last byte; undefined if they fail. */
async function textOf(app: Hono, address: string): Promise<string | undefined> {
  try {
    const answer = await app.request(address);
    return answer.ok ? await answer.text() : undefined;
  } catch {
    return undefined;
  }
}
