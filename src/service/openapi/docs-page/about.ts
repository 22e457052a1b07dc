import type { ExampleData } from '../examples.js';

/** What the page says about the service that sends it. */
export interface DocsPage {
  /** The service's version, such as `0.1.0`. */
  version: string;
  /** The address under which the reader reaches it, such as `http://127.0.0.1:8787`, without a slash at the end. */
  address: string;
  /** Whether the service answers without a key. */
  open: boolean;
  /** A wallet and a market for example queries; undefined if no data are loaded. */
  example: ExampleData | undefined;
}
