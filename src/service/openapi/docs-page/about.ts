import type { ExampleData } from '../examples.js';

/** What the page says of the very service that sends it. */
export interface DocsPage {
  /** Of the service, such as `0.1.0`. */
  version: string;
  /** Where its reader reaches it, such as `http://127.0.0.1:8787`, without a slash at the end. */
  address: string;
  /** Whether it answers without a key. */
  open: boolean;
  /** What the queries to copy ask for; undefined where no data are loaded. */
  example: ExampleData | undefined;
}
