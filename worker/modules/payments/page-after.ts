/** A request for one page of rows: those after the row `after`, or the first ones. */
export interface PageAfter<Row> {
  readonly after: Row | null;
  readonly limit: number;
}
