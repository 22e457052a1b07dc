import { onTestFinished } from 'vitest';
import { QUERY_PATH } from '../../src/contract/envelope.js';
import { type ServeOptions, serve } from '../../src/service/serve-folder.js';

/** An answer: its status, headers, JSON and text. */
export interface Answered {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what came without telling its shape first.
  json: any;
  text: string;
}

/** Runs the service over a data folder on a free port until the current test ends. */
export async function serveFolder(folder: string, options: Partial<ServeOptions> = {}): Promise<string> {
  const service = await serve({ folder, port: 0, open: true, ...options });
  onTestFinished(() => service.close());
  return service.url;
}

/** Posts a request envelope, or any text, to the query endpoint. */
export async function ask(
  url: string,
  body: unknown,
  { path = QUERY_PATH, headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<Answered> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return answered(answer);
}

/** Reads an answer to its end. */
export async function answered(answer: Response): Promise<Answered> {
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, json: text === '' ? undefined : JSON.parse(text) };
}
