import { unstable_splitSqlQuery } from 'wrangler';
import type { Migration } from '#dev/build/migrations.ts';
import { normalizeSql, splitLikeD1 } from './split-like-d1.ts';

/**
 * Returns the statements of a migration that D1's remote endpoint would split wrongly, with advice. Compares with
 * Wrangler's own splitter, which the local database uses.
 */
export function checkSplitting({ name, sql }: Migration): readonly string[] {
  if (sql.includes('\r')) return [`${name} has Windows line ends, which D1 misreads. Save it with LF.`];
  if (!/;\s*$/.test(sql)) return [`${name} must end with a semicolon, because wrangler appends a statement.`];
  const comments = sql.match(/--[^\n]*/g) ?? [];
  const unsafe = comments.filter((comment) => /[;'"`]/.test(comment));
  const remote = splitLikeD1(sql).map(normalizeSql);
  // Wrangler's splitter preserves comments, so a statement may be only a comment.
  const local = unstable_splitSqlQuery(sql)
    .map(normalizeSql)
    .filter((statement) => statement !== '');
  const wrong = local.find((statement, index) => statement !== remote[index]);
  return [
    ...unsafe.map((comment) => `${name}: write the comment without quotes and semicolons: ${comment}`),
    ...(wrong === undefined ? [] : [`${name}: ${describe(wrong)}`]),
  ];
}

function describe(statement: string): string {
  const trigger = /TRIGGER\s+(?:IF NOT EXISTS\s+)?["`]?(\w+)/i.exec(statement)?.[1];
  const start = statement.slice(0, 80);
  if (trigger === undefined) return `D1 doesn't end this statement where the local database does: ${start}`;
  const cut = `D1 would cut the trigger ${trigger} in the middle.`;
  if (/[^(\s]\s+CASE\s/i.test(statement)) {
    return `${cut} It takes the END of a CASE for the end of the trigger. Write (CASE ... END), in parentheses.`;
  }
  return `${cut} Write BEGIN and END in capitals, alone between spaces or line ends.`;
}
