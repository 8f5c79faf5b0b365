/** A request for one page of rows, which follows the row `after`. If that is null, the first page. */
export interface PageAfter<Row> {
  readonly after: Row | null;
  readonly limit: number;
}
