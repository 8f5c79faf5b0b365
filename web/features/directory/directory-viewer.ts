/** The viewer's fields that the subscribe buttons need. */
export interface DirectoryViewer {
  readonly id: string | null;
  readonly subscribedIds: ReadonlySet<string>;
}
