import { getTableName } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { callColumnsWith } from './calls.ts';
import { allTables, factsOf } from './table.ts';

const hasChanged = (names: readonly string[]): string =>
  `(${names.map((name) => `NEW.${name}`).join(', ')}) IS NOT (${names.map((name) => `OLD.${name}`).join(', ')})`;

/** The triggers that follow from what the tables and their columns declare. */
export const declaredTriggers = (): string =>
  [...allTables().flatMap(fixedRowsTriggers), fixedColumnsTrigger()].join('\n');

/** Refuses what the rows of a table never are. */
function fixedRowsTriggers(table: SQLiteTable): string[] {
  const { never } = factsOf(table).table;
  const name = getTableName(table);
  const refuse = (event: 'update' | 'delete', what: string) => `
CREATE TRIGGER ${name}_${event} BEFORE ${event.toUpperCase()} ON ${name}
BEGIN SELECT RAISE(ABORT, 'rows of ${name} are never ${what}'); END;`;
  if (never === undefined) return [];
  return [...(never === 'changed' ? [refuse('update', 'changed')] : []), refuse('delete', 'deleted')];
}

/** The trigger that forbids changes of a call's fixed columns. Columns to erase can be emptied for a deleted account. */
function fixedColumnsTrigger(): string {
  const fixedAt = (time: 'entry' | 'end') =>
    Object.values<string>(callColumnsWith(({ fixed, treatment }) => fixed === time && treatment !== 'erase'));
  const erased = Object.values<string>(
    callColumnsWith(({ fixed, treatment }) => fixed !== undefined && treatment === 'erase'),
  );
  const isOtherText = erased.map(
    (name) => `
    OR (NEW.${name} IS NOT OLD.${name} AND (
      NEW.${name} IS NOT NULL
      OR NOT EXISTS (SELECT 1 FROM users WHERE id = OLD.caller_id AND deleted_at IS NOT NULL)))`,
  );
  return `
CREATE TRIGGER calls_fixed BEFORE UPDATE ON calls
BEGIN
  SELECT RAISE(ABORT, 'what a call was published with is never changed')
  WHERE ${hasChanged(fixedAt('entry'))}${isOtherText.join('')};
  SELECT RAISE(ABORT, 'an ended call is never changed')
  WHERE OLD.ended_at IS NOT NULL AND ${hasChanged(fixedAt('end'))};
END;
`;
}
