/** JSON schemas of the types in schema/contracts, by name (dev/answer-schemas.ts). */
declare module 'virtual:answer-schemas' {
  const schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  export default schemas;
}
