import type { KnownSchema } from './read-migrations.ts';
import type { Column, Schema, Table } from './schema-of.ts';

/** A change that breaks the version that runs during and after the migration. */
export interface Break {
  /** Such as `drop column calls.peak`. A comment of the migration accepts it by this name. */
  readonly id: string;
  readonly why: string;
}

interface Versions {
  readonly before: Schema;
  readonly after: Schema;
  /** The statements of the migrations in between, without comments. */
  readonly statements: readonly string[];
  /** Tables and columns in the running version's code. Others may be dropped. */
  readonly known: KnownSchema;
}

const UNUSED = 'the running version still knows it. First release a version that does not.';

/** Compares the schema before and after migrations. */
export function findBreaks(versions: Versions): readonly Break[] {
  const { before, after } = versions;
  const kept = [...before.tables].flatMap(([name, table]) => {
    const next = after.tables.get(name);
    return next === undefined ? [] : [{ name, table, next }];
  });
  return [
    ...droppedTables(versions),
    ...kept.flatMap((change) => [
      ...droppedColumns(change, versions),
      ...changedColumns(change),
      ...addedColumns(change),
      ...newRules(change),
    ]),
    ...recreatedColumns(versions),
    ...changedIndexes(versions),
    ...changedTriggers(versions),
  ];
}

interface TableChange {
  readonly name: string;
  readonly table: Table;
  readonly next: Table;
}

function droppedTables({ before, after, known }: Versions): readonly Break[] {
  return [...before.tables.keys()]
    .filter((name) => !after.tables.has(name) && known.tables[name] !== undefined)
    .map((name) => ({ id: `drop table ${name}`, why: UNUSED }));
}

function droppedColumns({ name, table, next }: TableChange, { known }: Versions): readonly Break[] {
  const knownColumns = known.tables[name]?.columns ?? {};
  return [...table.columns.keys()]
    .filter((column) => !next.columns.has(column) && column in knownColumns)
    .map((column) => ({ id: `drop column ${name}.${column}`, why: UNUSED }));
}

/** A column that is dropped and added again has the same definition before and after, but its values are gone. */
function recreatedColumns({ statements, after }: Versions): readonly Break[] {
  return statements.flatMap((statement) => {
    const [, table = '', column = ''] = DROP_COLUMN.exec(statement) ?? [];
    const isBack = after.tables.get(table)?.columns.has(column) === true;
    const why = 'its values are lost. Add a column with another name, and fill it.';
    return isBack ? [{ id: `drop column ${table}.${column}`, why }] : [];
  });
}

const DROP_COLUMN = /^ALTER TABLE [`"]?(\w+)[`"]? DROP (?:COLUMN )?[`"]?(\w+)/i;

function changedColumns({ name, table, next }: TableChange): readonly Break[] {
  return [...table.columns].flatMap(([column, before]) => {
    const after = next.columns.get(column);
    return after === undefined ? [] : columnBreaks(`${name}.${column}`, before, after);
  });
}

function columnBreaks(id: string, before: Column, after: Column): readonly Break[] {
  const isNowRequired = after.isRequired && !before.isRequired;
  const hasLostDefault = before.default !== null && after.default === null && after.isRequired;
  const problems: readonly (readonly [boolean, string, string])[] = [
    [before.type !== after.type, 'type', `was ${before.type} and is ${after.type}.`],
    [isNowRequired, 'not null', 'the running version may write NULL.'],
    [hasLostDefault, 'default', 'the running version may leave it out.'],
    [before.key !== after.key, 'primary key', 'the running version writes by the old key.'],
    [!before.isGenerated && after.isGenerated, 'generated', 'the running version may write it.'],
  ];
  return problems.filter(([isBroken]) => isBroken).map(([, what, why]) => ({ id: `${what} ${id}`, why }));
}

function addedColumns({ name, table, next }: TableChange): readonly Break[] {
  return [...next.columns]
    .filter(([column]) => !table.columns.has(column))
    .filter(([, { isRequired, default: value, isGenerated }]) => isRequired && value === null && !isGenerated)
    .map(([column]) => ({
      id: `not null ${name}.${column}`,
      why: 'the running version does not write it. Give it a default, or allow NULL.',
    }));
}

function newRules({ name, table, next }: TableChange): readonly Break[] {
  const checks = [...next.checks].filter(([check, text]) => table.checks.get(check) !== text);
  const keys = [...next.foreignKeys].filter((key) => !table.foreignKeys.has(key));
  const why = 'the running version may write rows that it rejects.';
  return [
    ...checks.map(([check]) => ({ id: `check ${name}.${check}`, why })),
    ...keys.map((key) => ({ id: `foreign key ${name}.${key}`, why })),
  ];
}

function changedIndexes({ before, after, known }: Versions): readonly Break[] {
  const gone = [...before.indexes].filter(([name, { table, sql }]) => {
    const isKnown = name in (known.tables[table]?.indexes ?? {});
    return after.tables.has(table) && isKnown && after.indexes.get(name)?.sql !== sql;
  });
  const added = [...after.indexes].filter(
    ([name, { table, sql, isUnique }]) =>
      isUnique && before.tables.has(table) && before.indexes.get(name)?.sql !== sql,
  );
  return [
    ...gone.map(([name]) => ({
      id: `drop index ${name}`,
      why: 'the running version may need it, for INDEXED BY, ON CONFLICT or speed.',
    })),
    ...added.map(([name]) => ({
      id: `unique ${name}`,
      why: 'the running version may write rows that it rejects, and existing rows may violate it.',
    })),
  ];
}

function changedTriggers({ before, after }: Versions): readonly Break[] {
  const gone = [...before.triggers].filter(
    ([name, { table, sql }]) => after.tables.has(table) && !rejects(sql) && !after.triggers.has(name),
  );
  const added = [...after.triggers].filter(
    ([name, { table, sql }]) =>
      before.tables.has(table) && rejects(sql) && before.triggers.get(name)?.sql !== sql,
  );
  return [
    ...gone.map(([name]) => ({
      id: `drop trigger ${name}`,
      why: 'the running version relies on what it writes.',
    })),
    ...added.map(([name]) => ({
      id: `trigger ${name}`,
      why: 'it may reject what the running version writes.',
    })),
  ];
}

const rejects = (triggerSql: string) => /\bRAISE\s*\(/i.test(triggerSql);
