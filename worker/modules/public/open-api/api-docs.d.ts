/** The documentation of all routes (dev/build/open-api/plugin.ts). */
declare module 'virtual:api-docs' {
  /** The OpenAPI document as JSON. */
  export const json: string;
  /** The document as an HTML page. */
  export const page: string;
}
