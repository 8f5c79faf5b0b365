// `wrangler d1 migrations apply --remote` sends a migration to Cloudflare's `/query` endpoint, which splits it. That
// code isn't public. This model follows the reports cloudflare/workers-sdk#4727, #10998, #14991 and #15314, and reads
// them in the strictest way.

/** A piece of SQL: a comment, a quoted text, a semicolon, white space, or anything between them. */
const PIECE =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'[^']*(?:'|$)|"[^"]*(?:"|$)|`[^`]*(?:`|$)|;|\s+|[^\s;'"`/-]+|[-/]/g;

/** The endpoint recognises a keyword only in capitals, between spaces or line feeds. */
const isKeyword = (text: string, keyword: string, { before, after }: Neighbours) =>
  text === keyword && /[ \n\t]$/.test(before) && /^[ \n\t;]/.test(after);

interface Neighbours {
  readonly before: string;
  readonly after: string;
}

/** Relative to a trigger's body: outside, inside, or after the `END` that the splitter takes for its end. */
type Place = 'outside' | 'inside' | 'ended';

/**
 * Splits SQL into statements as D1's remote endpoint does. A semicolon ends a statement except between `BEGIN` and
 * `END` of a trigger. It doesn't know `CASE`, so the bare `END` of a `CASE` also ends the trigger.
 */
export function splitLikeD1(sql: string): readonly string[] {
  const pieces = tokenizeSql(sql);
  const statements: string[] = [];
  let statement = '';
  let place: Place = 'outside';
  for (const [index, piece] of pieces.entries()) {
    const neighbours = { before: statement, after: pieces[index + 1] ?? '' };
    if (piece === ';' && place !== 'inside') {
      statements.push(statement);
      statement = '';
      place = 'outside';
      continue;
    }
    statement += piece;
    if (place === 'outside' && isTrigger(statement)) {
      if (isKeyword(piece, 'BEGIN', neighbours)) place = 'inside';
    }
    if (place !== 'ended' && isTrigger(statement) && isKeyword(piece, 'END', neighbours)) place = 'ended';
  }
  return [...statements, statement].map((each) => each.trim()).filter((each) => each !== '');
}

/** Removes comments, the last semicolon and white space, so that statements can be compared. */
export const normalizeSql = (sql: string): string =>
  tokenizeSql(sql).join('').replace(/\s+/g, ' ').trim().replace(/;$/, '');

const tokenizeSql = (sql: string) => (sql.match(PIECE) ?? []).filter((piece) => !/^(?:--|\/\*)/.test(piece));

const isTrigger = (statement: string) => /^\s*CREATE\s+(?:TEMP\s+|TEMPORARY\s+)?TRIGGER\b/i.test(statement);
