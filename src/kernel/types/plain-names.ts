import { EARLIER, TYPE_OF, withoutRereads } from './own-names.js';

/**
 * Removes from the language server's text the modules that stand for cells, which the user does not know.
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
