export interface Versioned<Response> {
  /** JSON that changes whenever the response changes. Different responses at a path never share a version. */
  readonly version: object;
  readonly read: () => Promise<Response>;
}
