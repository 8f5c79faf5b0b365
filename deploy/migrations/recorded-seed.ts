import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { createChain } from '#dev/chain/chain.ts';
import { localMints } from '#dev/market/local-mints.ts';
import { platformAddress } from '#dev/product-vars.ts';
import type { LocalD1 } from '#dev/seed/inserter.ts';
import { seed } from '#dev/seed/seed.ts';

/** The rows that the seed writes into a table, in its order. */
export interface WrittenRows {
  readonly table: string;
  readonly columns: readonly string[];
  /** The rows as a JSON array of arrays. */
  readonly rows: string;
}

/** Runs the seed of the local world without a database, and returns its rows. */
export async function recordSeed(): Promise<readonly WrittenRows[]> {
  const written: WrittenRows[] = [];
  const dataDir = mkdtempSync(join(tmpdir(), 'solcallers-seed-'));
  const now = Date.UTC(2026, 10, 1);
  const chain = createChain({ dataDir, now: () => now, genesisAccounts: localMints() });
  try {
    const d1 = recordingDatabase((sql, rows) => written.push({ ...insertedInto(sql), rows }));
    await seed({ d1, chain, now, platformAddress, standInsUrl: 'http://localhost' });
  } finally {
    chain.close();
    rmSync(dataDir, { recursive: true });
  }
  return written;
}

/** The seed's only kind of statement is an INSERT with one parameter: the rows. */
function recordingDatabase(record: (sql: string, rows: string) => void): LocalD1 {
  const prepare = (sql: string) => ({
    bind: (rows: string) => ({
      run: () => {
        record(sql, rows);
        return Promise.resolve();
      },
    }),
  });
  return { prepare } as LocalD1;
}

function insertedInto(sql: string): Pick<WrittenRows, 'table' | 'columns'> {
  const match = /^INSERT INTO "(\w+)" \(([^)]+)\) SELECT/.exec(sql);
  if (match === null) throw new Error(`The seed's statement isn't known: ${sql}`);
  const [, table = '', columns = ''] = match;
  return { table, columns: columns.split(', ').map((column) => column.replaceAll('"', '')) };
}

/** Writes the rows with the columns that `isKnown` accepts. Rows of unknown tables are left out. */
export function writeRows(
  database: DatabaseSync,
  written: readonly WrittenRows[],
  isKnown: (table: string, column: string) => boolean,
): void {
  database.exec('BEGIN');
  for (const { table, columns, rows } of written) {
    const places = [...columns.entries()].filter(([, column]) => isKnown(table, column));
    if (places.length === 0) continue;
    const names = places.map(([, column]) => `"${column}"`).join(', ');
    const values = places.map(([place]) => `value ->> ${place}`).join(', ');
    database.prepare(`INSERT INTO "${table}" (${names}) SELECT ${values} FROM json_each(?)`).run(rows);
  }
  database.exec('COMMIT');
}
