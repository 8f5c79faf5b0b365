import { DatabaseSync } from 'node:sqlite';
import { findDatabase } from './data-folder.ts';
import { stateDirOf, type Settings } from '../settings.ts';

/** Replaces the stand-ins' address in the database's URLs of images and icons, if the address has changed. */
export function moveStandIns(settings: Pick<Settings, 'dataDir' | 'standInsPort'>): void {
  const database = new DatabaseSync(findDatabase(stateDirOf(settings)));
  const { from } = database
    .prepare(
      `SELECT max(substr(profile_image_url, 1, instr(profile_image_url, '/x/'))) AS "from" FROM users
       WHERE profile_image_url GLOB 'http://127.0.0.1:*'`,
    )
    .get() as { from: string | null };
  const to = `http://127.0.0.1:${settings.standInsPort}/`;
  if (from !== null && from !== to) move(database, { from, to });
  database.close();
}

function move(database: DatabaseSync, { from, to }: { from: string; to: string }): void {
  // The triggers refuse to change a published call.
  const triggers = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all() as {
    name: string;
    sql: string;
  }[];
  const columns = database
    .prepare(
      `SELECT t.name AS "table", c.name AS "column" FROM pragma_table_list t, pragma_table_info(t.name) c
       WHERE t.type = 'table' AND t.name NOT GLOB 'sqlite_*' AND t.name NOT GLOB '_cf_*' AND lower(c.type) = 'text'`,
    )
    .all() as { table: string; column: string }[];
  database.exec('BEGIN');
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  for (const { table, column } of columns) {
    database
      .prepare(
        `UPDATE "${table}" SET "${column}" = replace("${column}", ?1, ?2) WHERE instr("${column}", ?1)`,
      )
      .run(from, to);
  }
  for (const { sql } of triggers) database.exec(sql);
  database.exec('COMMIT');
}
