/** Whose list this is: nobody subscribes to themselves or twice by accident. */
export interface DirectoryViewer {
  readonly id: string | null;
  readonly subscribedIds: ReadonlySet<string>;
}
