/** JSON schemas of the types in schema/contracts that routes respond with, by name (dev/build/response-schemas.ts). */
declare module 'virtual:response-schemas' {
  const schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  export default schemas;
}
