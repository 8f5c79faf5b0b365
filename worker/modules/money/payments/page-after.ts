export interface PageAfter<Row> {
  readonly after: Row | null;
  readonly limit: number;
}
