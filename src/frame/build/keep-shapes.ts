import type { Column, Dtype } from '../../contract/definition.js';
import { DistinctTexts } from './distinct-texts.js';
import { KeyGuard } from './key-guard.js';
import { PairTable } from './pair-table.js';
import { RowStore } from './row-store.js';
import { Cursor } from './scan/cursor.js';
import { PageScanner } from './scan/page-scanner.js';
import { WordBytes } from './scan/word-bytes.js';
import { SpelledWords } from './spelled-words.js';

const DTYPES: readonly Dtype[] = ['string', 'datetime', 'float64', 'int32', 'boolean'];
const COLUMNS: readonly Column[] = DTYPES.map((dtype) => ({ name: dtype, dtype, nullable: true, meaning: '' }));
const PAGE = '[{"string":"a","datetime":"2025-11-01","float64":1.5,"int32":1,"boolean":true,"other":1}]';

const kept: object[] = [];

/**
 * Keeps one object of each class that reads pages, forever. V8 discards the compiled code of methods when a garbage
 * collection finds no object of their shape; without this, most builders would start as slowly as the first.
 */
export function keepShapes(): void {
  if (kept.length > 0) return;
  for (const exact of [false, true]) {
    const store = new RowStore(
      COLUMNS.map((column) => (exact ? { ...column, decimal: true } : column)),
      ['string'],
      { exact },
    );
    const scanner = new PageScanner(store);
    scanner.scan(new TextEncoder().encode(PAGE));
    for (const key of [['string'], ['datetime', 'string']]) {
      const guard = new KeyGuard(store.builders, key);
      guard.findRepeats(0, store.rows, 1);
      kept.push(guard);
    }
    kept.push(store, scanner);
  }
  kept.push(new Cursor(new Uint8Array(0)), new DistinctTexts(new SpelledWords(new WordBytes(0, 0))), new PairTable());
}
