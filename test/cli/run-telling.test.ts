import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import {
  CellTimeoutError,
  DriftError,
  IncompleteError,
  InputError,
  NotebookError,
  NotSeenError,
  SourceError,
  TypeCheckError,
  UsageError,
} from '../../src/base/errors.js';
import { EXIT_CODES, exitCodeOf, joinedErrors, paintError } from '../../src/cli/exit-code.js';
import { incompleteError } from '../../src/cli/run-fetch.js';
import { inOrder } from '../../src/cli/run-notebooks.js';
import { CellProgress } from '../../src/cli/terminal-output.js';
import { runHere } from '../support/run-here.js';

function streamOf(written: string[], isTTY: boolean): NodeJS.WriteStream {
  const stream = { isTTY, columns: 60, write: (text: string) => written.push(text) };
  return stream as unknown as NodeJS.WriteStream;
}

describe('CellProgress', () => {
  it('redraws one line for all notebooks that run', () => {
    const written: string[] = [];
    const progress = new CellProgress(streamOf(written, true));
    progress.show('x/a.ipynb', 1, 3);
    progress.show('x/b.ipynb', 2, 2, 'half\nway');
    progress.done('x/a.ipynb');
    progress.done('x/b.ipynb');
    progress.finish();
    const erase = '\r\u001b[2K';
    expect(written).toEqual([
      `${erase}running a.ipynb: cell 1 of 3`,
      `${erase}running a.ipynb: cell 1 of 3 | b.ipynb: cell 2 of 2 · half way`.slice(0, erase.length + 59),
      erase,
      `${erase}running b.ipynb: cell 2 of 2 · half way`,
      erase,
    ]);
  });

  it('says nothing where there is no terminal', () => {
    const written: string[] = [];
    const progress = new CellProgress(streamOf(written, false));
    progress.show('a.ipynb', 1, 3);
    progress.done('a.ipynb');
    progress.finish();
    expect(written).toEqual([]);
  });
});

describe('inOrder', () => {
  it('hands over in order, and never does more at once than it may', async () => {
    const [seen, starts]: [number[], number[]] = [[], []];
    let running = 0;
    const work = async (item: number): Promise<number> => {
      starts.push(++running);
      await new Promise((resolve) => setTimeout(resolve, (5 - item) * 5));
      running--;
      return item;
    };
    await inOrder([1, 2, 3, 4, 5], 2, work, (item) => seen.push(item));
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    expect(Math.max(...starts)).toBe(2);
  });

  it('rejects once all that was begun is over', async () => {
    const over: number[] = [];
    const work = async (item: number): Promise<number> => {
      if (item === 1) throw new Error('first');
      over.push(item);
      return item;
    };
    await expect(inOrder([1, 2, 3], 2, work, () => {})).rejects.toThrow('first');
    expect(over).toEqual([2, 3]);
  });
});

it('says of what is missing from when and until when, as far as that is known', () => {
  const [from, until] = ['2026-05-01T10:00:30.000Z', '2026-05-02T11:30:00.000Z'];
  const part = { what: 'trades', why: 'it ended' };
  const spans = [
    [from, until],
    [null, until],
    [from, null],
    [from, from],
    [null, null],
  ] as const;
  const [error] = incompleteError(
    'raw/market-x',
    spans.map(([from, until]) => ({ ...part, from, until })),
  );
  expect(error?.message.split('\n')).toEqual([
    'raw/market-x is not complete.',
    '  missing trades from 2026-05-01 10:00 to 2026-05-02 11:30: it ended',
    '  missing trades to 2026-05-02 11:30: it ended',
    '  missing trades from 2026-05-01 10:00: it ended',
    '  missing trades from 2026-05-01 10:00: it ended',
    '  missing trades: it ended',
    '  What was fetched is kept; the same command asks for the rest.',
  ]);
});

describe('joinedErrors', () => {
  it('is of the class of the worst, and says all', () => {
    const first = new CellTimeoutError('a');
    expect(joinedErrors([first], 'All failed.')).toBe(first);
    const worst = new NotebookError('b');
    const joined = joinedErrors([new DriftError('d'), first, worst], '3 of 4 notebooks failed.');
    expect(joined).toEqual(new NotebookError('d\n\na\n\nb\n\n3 of 4 notebooks failed.', { cause: worst }));
    expect(joinedErrors([first, worst])).toEqual(new NotebookError('a\n\nb', { cause: worst }));
    expect(exitCodeOf(joined)).toBe(1);
    expect(exitCodeOf(joinedErrors([new DriftError(''), new TypeCheckError('')]))).toBe(3);
    expect(exitCodeOf(joinedErrors([new NotSeenError(''), new IncompleteError('')]))).toBe(3);
    expect(exitCodeOf(joinedErrors([new IncompleteError(''), new SourceError('', { kind: 'failing' })]))).toBe(1);
    expect(exitCodeOf(joinedErrors([new TypeCheckError(''), first]))).toBe(4);
  });
});

describe('exit codes', () => {
  it.each([
    [new UsageError(''), 64],
    [new CommanderError(1, '', ''), 64],
    [new CommanderError(0, '', ''), 0],
    [new CellTimeoutError(''), 4],
    [new TypeCheckError(''), 3],
    [new DriftError(''), 2],
    [new NotebookError(''), 1],
    [new InputError(''), 1],
    ['anything', 1],
  ])('%s ends with %i', (error, code) => {
    expect(exitCodeOf(error)).toBe(code);
  });

  it('are told by the help', async () => {
    const { out } = await runHere(['run', '--help']);
    const unwrapped = out.replace(/\n {6}/g, ' ');
    for (const [code, meaning] of Object.entries(EXIT_CODES)) expect(unwrapped).toContain(` ${code}  ${meaning}\n`);
    expect(unwrapped).toContain('the worst counts, in the order 1, 64, 4, 3, 2:');
  });
});

describe('paintError', () => {
  it('marks the line that is meant, on terminals alone', () => {
    const text = 'first\nError\n\n  1 | a\n> 2 | b\n    | ^\n\n    at';
    expect(paintError(text, false)).toBe(text);
    expect(paintError(text, true)).toBe(
      '\u001b[1mfirst\u001b[22m\nError\n\n  1 | a\n\u001b[31m> 2 | b\u001b[39m\n\u001b[31m    | ^\u001b[39m\n\n    at',
    );
  });
});
