import type { Dataset } from '../../contract/dataset.js';
import { AnswerError } from '../../errors.js';
import type { Appended } from '../../frame/build/frame-builder.js';
import type { Page } from './page-source.js';

/**
 * Refuses a page of repeats alone behind which there is said to be more: a service that goes round in circles would be
 * followed for ever.
 *
 * @throws {AnswerError} Says at which offset.
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
