import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { KEYS } from '#worker/modules/running/backup/backup-tables.ts';
import { root } from './settings.ts';

/** The only migration until the first release. It is edited in place. */
export const BASELINE = join(root, 'schema/migrations/0000_baseline.sql');

/** Everything below this line is written by hand. */
const BY_HAND = '-- Search and triggers, written by hand.\n';

/** Replaces the tables and indexes of the baseline with those of `schema/tables/`. */
export function composeBaseline(current: string): string {
  const start = current.indexOf(BY_HAND);
  if (start === -1) throw new Error(`${BASELINE} lacks the line: ${BY_HAND.trim()}`);
  return `-- Tables and indexes of schema/tables, written by npm run migrations.\n\n${tables()}\n${current.slice(start)}`;
}

function tables(): string {
  const drizzleKit = join(root, 'node_modules/drizzle-kit/bin.cjs');
  const command = [drizzleKit, 'export', '--config', 'schema/drizzle.config.ts'];
  const exported = execFileSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  return withoutRowids(exported).replace(/\n+/g, '\n').replaceAll('\nCREATE TABLE', '\n\nCREATE TABLE');
}

/** Drizzle can't declare WITHOUT ROWID. */
function withoutRowids(sql: string): string {
  return Object.keys(KEYS).reduce(
    (result, table) =>
      result.replace(new RegExp(`(CREATE TABLE \`${table}\` \\([^;]*\\n\\));`), '$1 WITHOUT ROWID;'),
    sql,
  );
}
