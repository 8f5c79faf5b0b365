import { addDerivedRows, writesFacts } from '../derived-rows.ts';
import { testEnv } from '../test-app.ts';

/**
 * Runs statements, each of which ends with a semicolon, as one batch. In them, the table `n` has the numbers `i` from
 * `from` on, `count` of them. If they write calls or users, also updates the rows derived from them.
 */
export async function runScript(script: string, { from = 1, count = 1 } = {}): Promise<void> {
  const numbers = `WITH RECURSIVE n(i) AS (
    SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${from + count - 1})`;
  const statements = script.split(/;\s*(?:\n|$)/).filter((statement) => statement.trim() !== '');
  await testEnv.DB.batch(statements.map((statement) => testEnv.DB.prepare(`${numbers} ${statement}`)));
  if (writesFacts(script)) await addDerivedRows();
}
