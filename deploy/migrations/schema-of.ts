import type { DatabaseSync } from 'node:sqlite';

export interface Column {
  readonly type: string;
  readonly isRequired: boolean;
  readonly default: string | null;
  /** The place in the primary key, from 1; otherwise 0. */
  readonly key: number;
  readonly isGenerated: boolean;
}

export interface Table {
  readonly columns: ReadonlyMap<string, Column>;
  /** By name or, for an unnamed one, by its text. */
  readonly checks: ReadonlyMap<string, string>;
  readonly foreignKeys: ReadonlySet<string>;
}

interface Described {
  readonly table: string;
  readonly sql: string;
}

export interface Index extends Described {
  readonly isUnique: boolean;
}

export interface Schema {
  readonly tables: ReadonlyMap<string, Table>;
  readonly indexes: ReadonlyMap<string, Index>;
  readonly triggers: ReadonlyMap<string, Described>;
}

type Row = Readonly<Record<string, string | number | null>>;

/** Reads which tables, indexes and triggers a database has. */
export function schemaOf(database: DatabaseSync): Schema {
  const all = (sql: string, ...params: string[]) => database.prepare(sql).all(...params) as Row[];
  const master = all(`SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'`);
  const named = (type: string) => master.filter((row) => row['type'] === type);
  const described = (row: Row): Described => ({
    table: String(row['tbl_name']),
    sql: String(row['sql']).replace(/\s+/g, ' '),
  });
  const tables = named('table').map((row) => {
    const name = String(row['name']);
    const table: Table = {
      columns: new Map(all('SELECT * FROM pragma_table_xinfo(?)', name).map(columnOf)),
      checks: checksOf(String(row['sql'])),
      foreignKeys: new Set(all('SELECT * FROM pragma_foreign_key_list(?)', name).map(foreignKeyOf)),
    };
    return [name, table] as const;
  });
  const indexes = named('index').map((row) => {
    const name = String(row['name']);
    return [name, { ...described(row), isUnique: /^CREATE UNIQUE/i.test(String(row['sql'])) }] as const;
  });
  return {
    tables: new Map(tables),
    indexes: new Map(indexes),
    triggers: new Map(named('trigger').map((row) => [String(row['name']), described(row)])),
  };
}

function columnOf(row: Row): readonly [string, Column] {
  return [
    String(row['name']),
    {
      type: String(row['type']).toUpperCase(),
      isRequired: row['notnull'] === 1,
      default: row['dflt_value'] === null ? null : String(row['dflt_value']),
      key: Number(row['pk']),
      isGenerated: row['hidden'] !== 0,
    },
  ];
}

const foreignKeyOf = (row: Row) => `${row['from']} to ${row['table']}(${row['to']})`;

/** Finds `CONSTRAINT "name" CHECK(...)`. A check ends with its closing parenthesis. */
function checksOf(sql: string): ReadonlyMap<string, string> {
  const checks = new Map<string, string>();
  for (const match of sql.matchAll(/(?:CONSTRAINT\s+["`]?(\w+)["`]?\s+)?CHECK\s*\(/gi)) {
    const start = match.index + match[0].length;
    const text = sql.slice(start, closingParenthesis(sql, start)).replace(/\s+/g, ' ');
    checks.set(match[1] ?? text, text);
  }
  return checks;
}

/** @returns the place of the parenthesis that closes the one before `start` */
function closingParenthesis(sql: string, start: number): number {
  let depth = 1;
  for (const { 0: piece, index } of sql.slice(start).matchAll(/'[^']*'|[()]/g)) {
    if (piece === '(') depth += 1;
    if (piece === ')') depth -= 1;
    if (depth === 0) return start + index;
  }
  return sql.length;
}
