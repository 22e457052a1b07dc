import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/base/errors.js';
import { joinLines, parseNotebook, serializeNotebook, splitLines } from '../../../src/notebook/format/nbformat.js';

/** As Jupyter writes it: one space, sorted keys, unescaped letters; with fields and a cell kind of its own. */
const FOREIGN = `{
 "cells": [
  {
   "attachments": {
    "pic.png": {
     "image/png": "AQI="
    }
   },
   "cell_type": "markdown",
   "id": "a1",
   "metadata": {
    "slideshow": {
     "slide_type": "skip"
    },
    "tags": []
   },
   "source": [
    "# Märkte – 市場\\n",
    "![](attachment:pic.png)"
   ]
  },
  {
   "cell_type": "raw",
   "metadata": {},
   "source": "whole\\u0007"
  },
  {
   "cell_type": "code",
   "execution_count": 7,
   "metadata": {
    "collapsed": null
   },
   "outputs": [
    {
     "data": {
      "application/x-odd": {
       "b": 1e-7,
       "a": []
      }
     },
     "metadata": {},
     "output_type": "display_data"
    }
   ],
   "source": []
  }
 ],
 "metadata": {
  "orig_nbformat": 2,
  "zz": {}
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

describe('parseNotebook', () => {
  it('keeps a notebook of another tool byte for byte', () => {
    expect(serializeNotebook(parseNotebook(FOREIGN, 'foreign.ipynb'))).toBe(FOREIGN);
  });

  it.each([
    ['# Oddslab\n\nA lab\r\nof', /^a\.ipynb is no notebook: it is not JSON \([^\n\r]+\)\.$/],
    ['{', /^a\.ipynb is no notebook: it is not JSON \(.+\)\.$/],
    ['[]', 'a.ipynb is no notebook that can be read: the file holds no JSON object.'],
    ['{}', 'a.ipynb is no notebook that can be read: `nbformat` is missing; it must be 4.'],
    [
      notebook({ nbformat: 3 }),
      'a.ipynb is no notebook that can be read: `nbformat` is 3; only version 4 is read, to which Jupyter converts.',
    ],
    [
      notebook({ nbformat_minor: 'x' }),
      'a.ipynb is no notebook that can be read: `nbformat_minor` must be a whole number from 0 on.',
    ],
    [notebook({ metadata: 1 }), 'a.ipynb is no notebook that can be read: `metadata` must be an object.'],
    [notebook({ cells: {} }), 'a.ipynb is no notebook that can be read: `cells` must be a list.'],
    [notebook({ cells: [1] }), 'a.ipynb is no notebook that can be read: `cells[0]` must be an object.'],
    [
      cell({ cell_type: 'sql' }),
      'a.ipynb is no notebook that can be read: `cells[0].cell_type` must be code, markdown or raw.',
    ],
    [
      cell({ source: [1] }),
      'a.ipynb is no notebook that can be read: `cells[0].source` must be a string or a list of strings.',
    ],
    [cell({ outputs: null }), 'a.ipynb is no notebook that can be read: `cells[0].outputs` must be a list.'],
    [
      cell({ execution_count: '1' }),
      'a.ipynb is no notebook that can be read: `cells[0].execution_count` must be a whole number or null.',
    ],
    [
      cell({ outputs: [{}] }),
      'a.ipynb is no notebook that can be read: `cells[0].outputs[0].output_type` must be a string.',
    ],
  ])('refuses %s', (text, message) => {
    const parse = () => parseNotebook(text, 'a.ipynb');
    expect(parse).toThrow(InputError);
    expect(parse).toThrow(message);
  });
});

describe('splitLines', () => {
  it.each(['', 'a', 'a\n', '\n\n', 'a\nb', 'a\r\nb\n'])('joins again to %j', (text) => {
    expect(joinLines(splitLines(text))).toBe(text);
  });

  it('keeps line ends', () => {
    expect(splitLines('a\n\nb')).toEqual(['a\n', '\n', 'b']);
  });
});

function notebook(fields: Record<string, unknown>): string {
  return JSON.stringify({ nbformat: 4, nbformat_minor: 4, metadata: {}, cells: [], ...fields });
}

function cell(fields: Record<string, unknown>): string {
  const code = { cell_type: 'code', source: '', metadata: {}, outputs: [], execution_count: null, ...fields };
  return notebook({ cells: [code] });
}
