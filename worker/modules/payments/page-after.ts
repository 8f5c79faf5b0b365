/** One page of rows: those after `after`, or from the start. */
export interface PageAfter<Row> {
  readonly after: Row | null;
  readonly limit: number;
}
