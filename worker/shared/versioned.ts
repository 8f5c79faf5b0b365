/** A response that the viewer may see. */
export interface Versioned<Response> {
  /** JSON that differs from the version of every other response at the same path. */
  readonly version: object;
  readonly read: () => Promise<Response>;
}
