/** The names in a table, for tables whose type lists all of their names. */
export function keysOf<Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.keys() can't know that the type lists all names.
  return Object.keys(table) as Name[];
}
