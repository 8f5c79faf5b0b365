import { sql } from 'drizzle-orm';
import { TOKEN_CALLS } from '#schema/constants/market.ts';
import { calledTokens } from '#schema/tables/called-tokens.ts';
import { calls } from '#schema/tables/calls.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { columnsOf, selection, selectRows, type SelectedRow } from '../../../shared/rows.ts';
import { callSelection, readCall, selectCalls, selectFrom, type CallRow } from './call-queries.repository.ts';

const MAX_FOUND_TOKENS = 6;

const foundColumns = selection(
  columnsOf(calledTokens, 't', ['mint', 'symbol', 'name']),
  columnsOf(calls, 'k', ['id', 'logo_uri', 'ended_at']),
);

export type FoundTokenRow = SelectedRow<typeof foundColumns>;

/** The first call of a restricted caller isn't shown, but then one of the next ones is. */
const FIRST_CALLS = 5;
/** Greater than every text that begins with the same characters. */
const LAST = '\u{10ffff}';

export interface TokenQuery {
  readonly mint: string;
  /** Callers whose active calls the viewer may see. Check that first. */
  readonly callerIds: readonly string[];
}

const endedOn = (mint: string) => sql`${selectCalls} WHERE k.token_mint = ${mint} AND k.ended_at IS NOT NULL`;
const firstOn = (mint: string) => sql`${endedOn(mint)} ORDER BY k.called_at LIMIT ${FIRST_CALLS}`;

export function createTokenCallsRepository(db: Database) {
  return {
    /** The first ended calls on a token, the oldest first. Reads no active call, so its time reveals none. */
    findFirstEnded: (mint: string): Promise<CallRow[]> => selectRows(db, callSelection, firstOn(mint)),

    async findCalls({ mint, callerIds }: TokenQuery) {
      const [newest = [], oldest = [], active = []] = await runBatch(db, [
        sql`${endedOn(mint)} ORDER BY k.called_at DESC LIMIT ${TOKEN_CALLS}`,
        firstOn(mint),
        // The index is named, because SQLite would otherwise read all active calls of the token.
        sql`
          ${selectFrom('calls k INDEXED BY calls_one_active_per_mint')}
          JOIN json_each(${JSON.stringify(callerIds)}) caller ON caller.value = k.caller_id
          WHERE k.token_mint = ${mint} AND k.ended_at IS NULL
          ORDER BY k.called_at DESC`,
      ]);
      return {
        ended: newest.map(readCall),
        first: oldest.map(readCall),
        active: active.map(readCall),
      };
    },

    /** Tokens with an ended call of a visible caller, whose symbol or name begins with the text, or with this mint. */
    search({ text, mint }: { text: string; mint: string | null }): Promise<FoundTokenRow[]> {
      const select = sql`
        SELECT ${foundColumns.list}
        FROM called_tokens t
        JOIN calls k ON k.id = t.call_id
        JOIN users u ON u.id = k.caller_id AND u.is_hidden = 0`;
      const beginning = (column: 'symbol' | 'name') => {
        const value = sql`t.${sql.identifier(column)} COLLATE NOCASE`;
        return sql`
          SELECT * FROM (
            ${select} WHERE ${value} >= ${text} AND ${value} < ${`${text}${LAST}`} ORDER BY ${value} LIMIT ${MAX_FOUND_TOKENS})`;
      };
      return selectRows(
        db,
        foundColumns,
        sql`
          ${select} WHERE t.mint = ${mint}
          UNION ${beginning('symbol')}
          UNION ${beginning('name')}
          LIMIT ${MAX_FOUND_TOKENS}`,
      );
    },
  };
}
