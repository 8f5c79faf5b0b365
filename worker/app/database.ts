import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1';

export type Database = DrizzleD1Database;

/** Drizzle over the D1 binding. */
export function createDatabase(binding: D1Database): Database {
  return drizzle(binding);
}

/** Whether a statement was refused by a UNIQUE constraint, optionally one that names `columns`. */
export function isUniqueViolation(error: unknown, columns?: string): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current.message.includes('UNIQUE constraint failed')) return columns === undefined || current.message.includes(columns);
  }
  return false;
}
