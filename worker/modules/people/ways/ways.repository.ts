import { sql, type SQL } from 'drizzle-orm';
import { CHAT_STAYS_MS, TELEGRAM_START_LINK_MS } from '#schema/constants/messages.ts';
import { API_KEY_MS, NEW_DEVICE_SHOWN_MS, WAY_KINDS, type WayKind } from '#schema/constants/people.ts';
import { UNKNOWN_DEVICE } from '#schema/rules/people/device-label.ts';
import { telegramLinks } from '#schema/tables/telegram-links.ts';
import { xTokens } from '#schema/tables/x-tokens.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import type { Statement } from '../../../shared/job-leases.ts';
import { columnsOf, type SelectedRow } from '../../../shared/rows.ts';
import { anyOf, build } from '../../../shared/sql.ts';
import { disconnectedChat, noStartLink } from './disconnected-chat.repository.ts';

type Row = Readonly<Record<string, unknown>>;

/** A kind of way into an account, in SQL. */
interface WaySql {
  readonly table: SQL;
  /** The column with the account's id; by default, `user_id`. */
  readonly person?: SQL;
  /** True for the rows that are open ways; by default, all. */
  readonly isOpen?: SQL;
  /** By default the kind and when it was made, because there is one at most. So a way that replaces another has another id. */
  readonly id?: SQL;
  readonly name?: SQL;
  readonly mayCall?: SQL;
  readonly isNew?: SQL;
  readonly madeAt: SQL;
  readonly lastUsedAt?: SQL;
  /** The column with the session that made it. Sessions have none. */
  readonly madeBy?: SQL;
  /** True for ways that end only if the user says so; by default, none. */
  readonly staysByDefault?: SQL;
  /** Deletes what belongs to the row. */
  readonly before?: (where: SQL) => SQL;
  /** By default, the row is deleted. */
  readonly end?: (where: SQL) => Statement;
}

export const revocableColumns = columnsOf(xTokens, 'x_tokens', [
  'userId',
  'accessTokenCiphertext',
  'refreshTokenCiphertext',
  'scopes',
]);

/** The permission to post that must also be revoked at X. */
export type RevocableTokens = SelectedRow<typeof revocableColumns>;

export interface EndedWays {
  readonly counts: Readonly<Partial<Record<WayKind, number>>>;
  readonly xTokens: readonly RevocableTokens[];
}

export interface WayRow {
  readonly kind: WayKind;
  readonly id: string;
  readonly name: string | null;
  readonly mayCall: 0 | 1;
  readonly isNew: 0 | 1;
  readonly staysByDefault: 0 | 1;
  readonly madeAt: number;
  readonly lastUsedAt: number | null;
  readonly madeBy: string | null;
}

interface PersonAt {
  readonly userId: string;
  readonly now: number;
}

interface MovedWays {
  readonly userId: string;
  readonly from: string | null;
  readonly to: string;
}

interface EndingOthers extends MovedWays {
  readonly keep: readonly string[];
  readonly now: number;
}

/** Chooses the ways that end. */
type Which = (way: OpenWaySql) => SQL;

/** A kind with its defaults. */
interface OpenWaySql extends WaySql {
  readonly kind: WayKind;
  readonly person: SQL;
  readonly id: SQL;
  readonly isOpen: SQL;
  readonly staysByDefault: SQL;
  /** True if a person has one at most, so that its kind names it. */
  readonly isSingle: boolean;
}

const returned = { id: telegramLinks.userId };

/** Each kind, in the order in which ends are reported. */
function waysAt(now: number): readonly OpenWaySql[] {
  const device = sql`devices d WHERE d.user_id = sessions.user_id AND d.token_hash = device_hash`;
  const ways: Readonly<Record<WayKind, WaySql>> = {
    session: {
      table: sql`sessions`,
      isOpen: sql`expires_at > ${now}`,
      id: sql`token_hash`,
      name: sql`COALESCE((SELECT label FROM ${device}), ${UNKNOWN_DEVICE})`,
      isNew: sql`EXISTS (
        SELECT 1 FROM ${device}
          AND d.at > MAX(${now - NEW_DEVICE_SHOWN_MS}, (SELECT created_at FROM users WHERE id = d.user_id)))`,
      madeAt: sql`created_at`,
      lastUsedAt: sql`MAX(created_at, last_used_at)`,
    },
    key: {
      table: sql`api_keys`,
      isOpen: sql`created_at > ${now - API_KEY_MS}`,
      id: sql`token_hash`,
      name: sql`name`,
      mayCall: sql`may_call`,
      madeAt: sql`created_at`,
      lastUsedAt: sql`last_used_at`,
      madeBy: sql`session_hash`,
    },
    webhook: { table: sql`webhooks`, name: sql`url`, madeAt: sql`created_at`, madeBy: sql`session_hash` },
    telegram_link: {
      table: sql`telegram_links`,
      isOpen: sql`start_nonce_hash IS NOT NULL AND start_nonce_expires_at > ${now}`,
      madeAt: sql`start_nonce_expires_at - ${TELEGRAM_START_LINK_MS}`,
      madeBy: sql`start_session_hash`,
      end: (where) => build.update(telegramLinks).set(noStartLink).where(where).returning(returned),
    },
    telegram: {
      table: sql`telegram_links`,
      isOpen: sql`chat_id IS NOT NULL`,
      name: sql`handle`,
      mayCall: sql`can_call`,
      madeAt: sql`connected_at`,
      madeBy: sql`session_hash`,
      end: (where) => build.update(telegramLinks).set(disconnectedChat(now)).where(where).returning(returned),
    },
    chat: {
      table: sql`telegram_chats`,
      person: sql`caller_id`,
      id: sql`chat_id`,
      name: sql`title`,
      madeAt: sql`connected_at`,
      madeBy: sql`session_hash`,
      staysByDefault: sql`connected_at <= ${now - CHAT_STAYS_MS}`,
      before: (where) => sql`
        DELETE FROM chat_posts WHERE chat_id IN (SELECT chat_id FROM telegram_chats WHERE ${where})`,
    },
    push: {
      table: sql`push_devices`,
      id: sql`concat('push', created_at)`,
      madeAt: sql`created_at`,
      madeBy: sql`session_hash`,
    },
    x: {
      table: sql`x_tokens`,
      madeAt: sql`created_at`,
      lastUsedAt: sql`updated_at`,
      madeBy: sql`session_hash`,
      end: (where) => sql`DELETE FROM x_tokens WHERE ${where} RETURNING ${revocableColumns.list}`,
    },
  };
  return WAY_KINDS.map((kind) => ({
    kind,
    person: sql`user_id`,
    id: sql`concat(${kind}, ${ways[kind].madeAt})`,
    isOpen: sql`1`,
    staysByDefault: sql`0`,
    isSingle: ways[kind].id === undefined,
    ...ways[kind],
  }));
}

const allButThese =
  (ids: readonly string[]): Which =>
  ({ id }) =>
    sql`${id} NOT IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;

/** One way, by its id, or by its kind if there is only one. `withMade`: and those that it has made. */
export const oneWay =
  (wayId: string, withMade: boolean): Which =>
  ({ id, kind, isSingle, madeBy }) =>
    anyOf(
      isSingle && kind === wayId ? sql`1` : sql`${id} = ${wayId}`,
      withMade && madeBy ? sql`${madeBy} = ${wayId}` : undefined,
    );

/** All but the groups and channels that were connected for a week: subscribers paid for the calls there. */
export const allThatEndByDefault: Which = ({ staysByDefault }) => sql`NOT ${staysByDefault}`;

/** Ends ways into an account. One statement per kind, the last ones, returns a row per ended way; `readEnded` reads them. */
export function endWays({ userId, now, which }: PersonAt & { readonly which: Which }): Statement[] {
  const ending = waysAt(now).map((way) => {
    return { ...way, where: sql`${way.person} = ${userId} AND ${way.isOpen} AND ${which(way)}` };
  });
  return [
    ...ending.flatMap(({ before, where }) => (before ? [before(where)] : [])),
    ...ending.map(
      ({ table, end, where }) => end?.(where) ?? sql`DELETE FROM ${table} WHERE ${where} RETURNING 1`,
    ),
  ];
}

/** Moves what a session has made to the session that replaces it. */
export const moveWays = ({ userId, from, to }: MovedWays): SQL[] =>
  waysAt(0).flatMap(({ table, person, madeBy }) =>
    madeBy
      ? [sql`UPDATE ${table} SET ${madeBy} = ${to} WHERE ${person} = ${userId} AND ${madeBy} = ${from}`]
      : [],
  );

/** Gives a session another token. The time of the sign-in stays, so the session doesn't become fresh. */
const replaceSession = ({ userId, from, to }: MovedWays): SQL[] => [
  sql`
    INSERT INTO sessions (token_hash, user_id, created_at, expires_at, last_used_at, device_hash)
    SELECT ${to}, user_id, created_at, expires_at, last_used_at, device_hash
    FROM sessions WHERE token_hash = ${from}`,
  ...moveWays({ userId, from, to }),
  sql`DELETE FROM sessions WHERE token_hash = ${from}`,
];

/** Reads the results of `endWays`. */
export function readEnded(results: readonly (readonly Row[])[]): EndedWays {
  const ends = results.slice(-WAY_KINDS.length);
  return {
    counts: Object.fromEntries(WAY_KINDS.map((kind, index) => [kind, ends[index]?.length ?? 0])),
    xTokens: (ends[WAY_KINDS.indexOf('x')] ?? []).map(revocableColumns.read),
  };
}

/** True in SQL if the person has any of these ways into the account. */
export const hasWays = ({ userId, now, which }: PersonAt & { readonly which: Which }): SQL =>
  anyOf(
    ...waysAt(now).map(
      (way) => sql`EXISTS (
        SELECT 1 FROM ${way.table} WHERE ${way.person} = ${userId} AND ${way.isOpen} AND ${which(way)})`,
    ),
  );

export function createWaysRepository(db: Database) {
  return {
    /** This session first and other sessions last, the latest used first. */
    list({ userId, currentId, now }: PersonAt & { readonly currentId: string }): Promise<WayRow[]> {
      const selects = waysAt(now).map(
        (way) => sql`
          SELECT ${way.kind} AS kind, ${way.id} AS id, ${way.name ?? sql`NULL`} AS name,
            ${way.mayCall ?? 0} AS mayCall, ${way.isNew ?? 0} AS isNew, ${way.staysByDefault} AS staysByDefault,
            ${way.madeAt} AS madeAt, ${way.lastUsedAt ?? sql`NULL`} AS lastUsedAt,
            ${way.madeBy ?? sql`NULL`} AS madeBy
          FROM ${way.table}
          WHERE ${way.person} = ${userId} AND ${way.isOpen}`,
      );
      // D1 allows five SELECTs in a UNION, but any number of nested ones.
      const nested = selects.reduce((all, one) => sql`SELECT * FROM (${all}) UNION ALL ${one}`);
      return db.all<WayRow>(sql`
        SELECT * FROM (${nested})
        ORDER BY id = ${currentId} DESC, kind = 'session', lastUsedAt DESC, madeAt DESC, id`);
    },

    end: async (options: Parameters<typeof endWays>[0]): Promise<EndedWays> =>
      readEnded(await runBatch(db, endWays(options))),

    /** Replaces this session and ends all other ways but the kept ones, in one transaction. */
    async endOthers({ keep, now, ...session }: EndingOthers): Promise<EndedWays> {
      const which = allButThese([session.to, ...keep]);
      const ends = endWays({ userId: session.userId, now, which });
      return readEnded(await runBatch(db, [...replaceSession(session), ...ends]));
    },
  };
}
