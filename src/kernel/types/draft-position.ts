import { LineIndex } from '../line-index.js';

/** A place in a document of the language server, both counted from 0. */
export interface DraftPosition {
  line: number;
  character: number;
}

/** Converts between offsets in a cell and places in its document, which has a line before the cell's first. */
export function draftPosition(code: string): {
  of(offset: number): DraftPosition;
  offset(position: DraftPosition): number;
} {
  const lines = new LineIndex(code);
  return {
    of: (offset) => {
      const { line, column } = lines.position(offset);
      return { line, character: column - 1 };
    },
    offset: ({ line, character }) => lines.offset({ line, column: character + 1 }),
  };
}
