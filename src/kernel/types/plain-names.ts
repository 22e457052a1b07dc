import { EARLIER, TYPE_OF, withoutRereads } from './own-names.js';

/**
 * Takes out of a text of the language server the modules that cells are to it, of which the user knows nothing.
 *
 * @example plainNames(`Type 'import("/notes/.oddslab-cell-3.mts").A'`) // "Type 'A (of an earlier cell)'"
 */
export function plainNames(text: string): string {
  return withoutRereads(text)
    .replaceAll(`${EARLIER}.`, '')
    .replaceAll(TYPE_OF, '')
    .replace(/import\("[^"]*\.oddslab-cell-\d+(?:\.mts)?"\)\.([\p{ID_Continue}$.]+)/gu, '$1 (of an earlier cell)')
    .replace(/import\("[^"]*\.oddslab-cell(?:\.mts)?"\)\./g, '');
}
