/** A request for the page of rows after the row `after`. If `after` is null, a request for the first page. */
export interface PageAfter<Row> {
  readonly after: Row | null;
  readonly limit: number;
}
