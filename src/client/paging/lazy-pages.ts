import { UsageError } from '../../base/errors.js';
import type { Page, PageSource, Series } from './page-source.js';

/** A page source whose code is loaded when its first page is read. */
export function lazyPages(load: () => Promise<PageSource>): PageSource {
  let loaded: Promise<PageSource> | undefined;
  let source: PageSource | undefined;
  return (request) => {
    if (source) return source(request);
    let series: Series | undefined;
    async function* pages(): AsyncGenerator<Page> {
      loaded ??= load();
      source = await loaded;
      series = source(request);
      yield* series.pages;
    }
    return {
      pages: pages(),
      origin() {
        if (series) return series.origin();
        throw new UsageError('The origin of a series was asked for before its pages were read.');
      },
    };
  };
}
