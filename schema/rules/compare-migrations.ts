const numberOf = (name: string) => name.split('_', 1)[0];

/**
 * Compares the migrations that a version needs with those that its database has, by names that end with a hash of the SQL.
 * The database may have newer ones: a deploy migrates before it releases, and a rollback leaves the database as it is.
 */
export function compareMigrations(needed: readonly string[], applied: readonly string[]) {
  const missing = needed.filter((name) => !applied.includes(name));
  const others = missing.flatMap((name) => applied.filter((other) => numberOf(other) === numberOf(name)));
  return {
    missing,
    /** Set if the database has another migration with the same number, so the missing one can't be applied. */
    conflict:
      others.length === 0
        ? null
        : `The database has ${others.join(', ')}, but this version needs ${missing.join(', ')}. ` +
          'Deploy the version that the database belongs to, or give this version a new database.',
  };
}
