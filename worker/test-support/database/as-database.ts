/**
 * Wraps a test's replacement as a D1 database. Its sessions use the same database, because the local one has no
 * replicas.
 */
export function asDatabase(replaced: {
  readonly prepare: (sql: string) => unknown;
  readonly batch?: (statements: D1PreparedStatement[]) => unknown;
}): D1Database {
  return { ...replaced, withSession: () => replaced } as unknown as D1Database;
}
