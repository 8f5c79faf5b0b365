/** The viewer, as far as the subscribe buttons need to know. */
export interface DirectoryViewer {
  readonly id: string | null;
  readonly subscribedIds: ReadonlySet<string>;
}
