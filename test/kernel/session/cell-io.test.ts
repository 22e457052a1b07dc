import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Outgoing, Outlet, Parent } from '../../../src/kernel/protocol/message.js';
import { CellOutput } from '../../../src/kernel/session/cell-io.js';
import type { OutputEvent } from '../../../src/kernel/wire/runner.js';

const header = { msg_id: 'm', msg_type: 'execute_request', session: 's', username: 'u', date: '', version: '5.3' };
const parent: Parent = { identities: [], header, rawHeader: '{}' };

function record(): { output: CellOutput; sent: Outgoing[] } {
  const sent: Outgoing[] = [];
  const outlet: Outlet = { publish: (message) => sent.push(message), send: () => '' };
  return { output: new CellOutput(outlet, parent, 3), sent };
}

const shown = { data: { 'text/plain': 'x' }, metadata: { a: 1 } };

beforeEach(() => {
  vi.useFakeTimers();
  // No process shows anything in its first millisecond.
  vi.advanceTimersByTime(1000);
});
afterEach(() => {
  vi.useRealTimers();
});

it('turns what a cell shows into messages', () => {
  const { output, sent } = record();
  const events: OutputEvent[] = [
    { type: 'display', ...shown },
    { type: 'display', id: 'd', ...shown },
    { type: 'update', id: 'd', ...shown },
    { type: 'result', ...shown },
    { type: 'clear', wait: true },
    { type: 'page', ...shown },
  ];
  for (const event of events) output.take(event);
  expect(sent).toEqual([
    { type: 'display_data', content: { ...shown, transient: {} } },
    { type: 'display_data', content: { ...shown, transient: { display_id: 'd' } } },
    { type: 'update_display_data', content: { ...shown, transient: { display_id: 'd' } } },
    { type: 'execute_result', content: { ...shown, execution_count: 3 } },
    { type: 'clear_output', content: { wait: true } },
  ]);
  expect(output.payload).toEqual([{ source: 'page', data: shown.data, start: 0 }]);
  expect(output.resultText).toBe('x');
});

it('sends the first text at once, joins what follows, and keeps the order of streams and pictures', () => {
  const { output, sent } = record();
  output.write('stdout', 'a');
  expect(sent.length).toBe(1);
  for (const text of ['b', 'c']) output.write('stdout', text);
  output.write('stderr', 'd');
  output.take({ type: 'display', ...shown });
  output.write('stdout', 'e');
  vi.advanceTimersByTime(120);
  const texts = sent.map(({ content }) => ('text' in content ? content.text : 'picture'));
  expect(texts).toEqual(['a', 'bc', 'd', 'picture', 'e']);
});

it('tells streams that take turns apart in a handful of messages, and loses nothing', () => {
  const { output, sent } = record();
  for (let at = 0; at < 1000; at++) {
    output.write('stdout', `o${at} `);
    output.write('stderr', `e${at} `);
  }
  output.flush();
  const all = (letter: string) => Array.from({ length: 999 }, (_, at) => `${letter}${at + 1} `).join('');
  expect(sent.map(({ content }) => content)).toEqual([
    { name: 'stdout', text: 'o0 ' },
    { name: 'stderr', text: `e0 ${all('e')}` },
    { name: 'stdout', text: all('o') },
  ]);
});

it('shows progress in one place and takes it away in the end', () => {
  const { output, sent } = record();
  output.take({ type: 'progress', text: '' });
  output.take({ type: 'progress', text: '1 < 2' });
  output.take({ type: 'progress', text: 'too soon' });
  output.take({ type: 'progress', text: '' });
  const [first] = sent;
  const transient = first && 'transient' in first.content ? first.content.transient : undefined;
  expect(transient).toEqual({ display_id: expect.any(String) });
  expect(sent).toEqual([
    {
      type: 'display_data',
      content: { data: { 'text/plain': '1 < 2', 'text/html': '<pre>1 &lt; 2</pre>' }, metadata: {}, transient },
    },
    { type: 'update_display_data', content: { data: { 'text/plain': '', 'text/html': '' }, metadata: {}, transient } },
  ]);
});
