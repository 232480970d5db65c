/** Where the values of the pages of one column go: the buffers of Arrow, batch by batch. */
import type { Data } from 'apache-arrow';
import type { Page } from './chunk-pages.ts';

export interface ValueSink {
  /** @throws RangeError for fewer values than entries */
  dictionary(plain: Uint8Array, entries: number): void;
  /** Begins a batch. */
  begin(rows: number): void;
  /** Opens a page; its values are appended in parts. @throws RangeError for fewer values than the page has */
  open(page: Page): void;
  /** Appends the next rows of the page, of which the first is row `from` of it and row `row` of the batch. */
  append(page: Page, from: number, row: number, count: number): void;
  /** The batch, all rows of which have been appended. */
  finish(): Data;
}
