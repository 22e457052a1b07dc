import { AnswerError } from '../../base/errors.js';
import type { Dataset } from '../../contract/dataset.js';
import type { Appended } from '../../frame/decode/frame-builder.js';
import type { Page } from './page-source.js';

/**
 * Refuses a page that holds only repeats although the service says that more follow: a service that goes round in
 * circles would otherwise be read forever.
 *
 * @throws {AnswerError} If the page is refused; the message names the offset.
 */
export function checkProgress(
  dataset: Dataset,
  page: Pick<Page, 'hasMore' | 'offset'>,
  { records, repeats }: Appended,
): void {
  if (!page.hasMore || records === 0 || repeats < records) return;
  throw new AnswerError(
    `Dataset ${dataset.id} sent only records that came before at offset ${page.offset}, yet says that there is more.`,
  );
}
