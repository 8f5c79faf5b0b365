import {
  and,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  notInArray,
  sql,
  type Column,
  type SQL,
} from 'drizzle-orm';
import { MAX_SESSIONS, SESSION_USE_MS } from '#schema/constants/people.ts';
import { callerKeys } from '#schema/rules/people/look-alike-callers.ts';
import { fullName, LOST_HANDLE_PREFIX } from '#schema/rules/people/person-name.ts';
import { callerSearchText } from '#schema/rules/text/search.ts';
import { apiKeys } from '#schema/tables/api-keys.ts';
import { callers } from '#schema/tables/callers.ts';
import { formerHandles } from '#schema/tables/former-handles.ts';
import { devices, sessions } from '#schema/tables/sessions.ts';
import { telegramLinks } from '#schema/tables/telegram-links.ts';
import { users } from '#schema/tables/users.ts';
import type { Identity } from '../../../ports/identity.ts';
import { copyUsersToCallers } from '../../money/callers/caller-copies.repository.ts';
import { isLeaving } from '../../money/callers/caller-standing.ts';
import { moveWays } from '../ways/ways.repository.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { recordFacts } from '../../log/facts.repository.ts';
import { nameEvent } from '../../log/log-entries.ts';
import { appendLogEntry } from '../../log/log-entries.repository.ts';
import {
  allOf,
  build,
  deleteFirst,
  equalsIgnoringCase,
  hasNoRow,
  hasRow,
  later,
  valueIn,
} from '../../../shared/sql.ts';

const PURGED_PER_RUN = 1_000;

interface SignedInPerson {
  readonly id: string;
  readonly identity: Identity;
  readonly xIdHash: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly now: number;
}

interface NewSession {
  readonly session: typeof sessions.$inferInsert;
  readonly device: typeof devices.$inferInsert;
  readonly replaced: string | null;
  /** True if this sign-in has created the account. */
  readonly isFirst: boolean;
}

export function createAuthRepository(db: Database) {
  return {
    ...createPurges(db),

    /**
     * Creates the user at the first sign-in, or opens the account that this person has deleted. Later updates the
     * fields that come from X. If another user had this handle before, that user loses it, because X has given it to
     * somebody else. Both changes are logged if they are callers.
     * @throws a UNIQUE violation of `x_id_hash` while the texts of the deleted account are being erased
     */
    async upsertUser(person: SignedInPerson): Promise<{ userId: string; isOpened: boolean }> {
      const { id, identity, now } = person;
      const callerId = callerNow(db, identity);
      const [former] = await db.select().from(users).where(isFormerHolder(identity));
      const before = [
        ...logNames(person, former),
        rememberHandles(identity, now),
        ...freeHandle(db, identity, now),
      ];
      const results = await runBatch(db, [
        ...before,
        ...accountStatements(db, person),
        updateDirectory(db, person),
        takeHandle(identity, now),
        copyUsersToCallers([callerId, former?.id ?? null]),
      ]);
      const [reopened = [], [user] = []] = results.slice(before.length);
      if (!user) throw new Error('The user was not written');
      const userId = String(user['id']);
      return { userId, isOpened: userId === id || reopened.length > 0 };
    },

    /**
     * Opens a session and remembers the device, of which the user is told unless the account is new. Ends the session that the new one replaces in the browser, and
     * the least recently used ones of a user who has too many.
     */
    async openSession({ session, device, replaced, isFirst }: NewSession): Promise<void> {
      const { label, lastSignInAt } = device;
      const remember = db
        .insert(devices)
        .values(device)
        .onConflictDoUpdate({ target: [devices.userId, devices.tokenHash], set: { label, lastSignInAt } });
      const end = db.delete(sessions).where(eq(sessions.tokenHash, replaced ?? ''));
      const isOther = and(eq(sessions.userId, session.userId), ne(sessions.tokenHash, session.tokenHash));
      const newest = db
        .select({ tokenHash: sessions.tokenHash })
        .from(sessions)
        .where(isOther)
        .orderBy(desc(sessions.lastUsedAt), desc(sessions.createdAt))
        .limit(MAX_SESSIONS - 1);
      const endSurplus = db.delete(sessions).where(and(isOther, notInArray(sessions.tokenHash, newest)));
      // If the same person signs in again, the browser's notifications and what it made move to the new session.
      const carryOver = moveWays({ userId: session.userId, from: replaced, to: session.tokenHash });
      const open = db.insert(sessions).values(session);
      const { userId, tokenHash, at } = device;
      const isNew = hasNoRow(devices, eq(devices.userId, userId), eq(devices.tokenHash, tokenHash));
      // Several accounts may sign in on one device, and an account again after the device was forgotten.
      const subject = `${tokenHash}:${userId}:${at}`;
      const tell = recordFacts([{ kind: 'new_device', subject, userId, at }], isNew);
      await runBatch(db, [...(isFirst ? [] : [tell]), remember, open, ...carryOver, end, endSurplus]);
    },

    async findSession(tokenHash: string, now: number) {
      const { userId, createdAt, lastUsedAt } = sessions;
      const [session] = await db
        .select({ userId, createdAt, lastUsedAt })
        .from(sessions)
        .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, now)));
      return session ?? null;
    },

    async recordUse({ tokenHash, expiresAt, now }: { tokenHash: string; expiresAt: number; now: number }) {
      const isDue = lte(sessions.lastUsedAt, now - SESSION_USE_MS);
      await db
        .update(sessions)
        .set({ lastUsedAt: now, expiresAt })
        .where(and(eq(sessions.tokenHash, tokenHash), isDue));
    },
  };
}

/** Opens the account that this person has deleted, then creates or updates the account. Both return its id. */
function accountStatements(
  db: Database,
  { id, identity, xIdHash, firstName, lastName, now }: SignedInPerson,
) {
  const { xUserId, handle, email, profileImageUrl } = identity;
  const current = { xIdHash, twitterHandle: handle, firstName, lastName, profileImageUrl, updatedAt: now };
  return [
    db
      .update(users)
      .set({ xUserId, deletedAt: null, erasedAt: null, erasedTo: 0 })
      .where(and(eq(users.xIdHash, xIdHash), isNotNull(users.deletedAt)))
      .returning({ id: users.id }),
    db
      .insert(users)
      .values({ id, xUserId, email, createdAt: now, ...current })
      .onConflictDoUpdate({
        target: users.xUserId,
        // The request to delete the account has erased the email.
        set: {
          ...current,
          email: sql`iif(${isLeaving(users.id)}, NULL, COALESCE(excluded.email, ${users.email}))`,
        },
      })
      .returning({ id: users.id }),
  ] as const;
}

const callerNow = (db: Database, { xUserId }: Identity) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.xUserId, xUserId), isNull(users.leftAt)));

function updateDirectory(db: Database, { identity, firstName, lastName, now }: SignedInPerson) {
  const name = { firstName, lastName, handle: identity.handle };
  return db
    .update(callers)
    .set({
      searchText: callerSearchText(name),
      updatedAt: later(callers.updatedAt, now),
      ...keysSince(callerKeys(name), now),
    })
    .where(eq(callers.callerId, callerNow(db, identity)));
}

function createPurges(db: Database) {
  return {
    async deleteExpiredSessions(now: number): Promise<void> {
      await db.run(deleteFirst(sessions, lte(sessions.expiresAt, now), PURGED_PER_RUN));
    },

    async deleteOldApiKeys(createdUntil: number): Promise<void> {
      await db.run(deleteFirst(apiKeys, lte(apiKeys.createdAt, createdUntil), PURGED_PER_RUN));
    },

    async forgetFormerChats(until: number): Promise<void> {
      const due = db
        .select({ userId: telegramLinks.userId })
        .from(telegramLinks)
        .where(lte(telegramLinks.formerUntil, until))
        .limit(PURGED_PER_RUN);
      await db
        .update(telegramLinks)
        .set({ formerChatId: null, formerUntil: null })
        .where(inArray(telegramLinks.userId, due));
    },

    async deleteOldDevices(lastSignInUntil: number): Promise<void> {
      await db.run(deleteFirst(devices, lte(devices.lastSignInAt, lastSignInUntil), PURGED_PER_RUN));
    },
  };
}

function keysSince({ handleKey, nameKey }: ReturnType<typeof callerKeys>, now: number) {
  const since = (column: Column, key: string, current: Column) =>
    sql`iif(${column} = ${key}, ${current}, ${now})`;
  return {
    handleKey,
    handleSince: since(callers.handleKey, handleKey, callers.handleSince),
    nameKey,
    nameSince: since(callers.nameKey, nameKey, callers.nameSince),
  };
}

/** Entries for the caller whose name or handle changes, and who loses the handle. Run before the change. */
function logNames(
  { identity, firstName, lastName, now }: SignedInPerson,
  former: typeof users.$inferSelect | undefined,
) {
  const { handle, xUserId } = identity;
  const name = fullName({ twitterHandle: handle, firstName, lastName });
  const changes = sql`
    FROM users u JOIN callers c ON c.caller_id = u.id
    WHERE u.x_user_id = ${xUserId} AND u.left_at IS NULL
      AND (u.twitter_handle, u.first_name, u.last_name) IS NOT (${handle}, ${firstName}, ${lastName})`;
  const own = appendLogEntry(
    nameEvent({ callerId: sql`(SELECT u.id ${changes})`, handle, name, xId: xUserId, at: now }),
    sql`EXISTS (SELECT 1 ${changes})`,
  );
  if (!former) return [own];
  const loses = allOf(
    hasRow(users, eq(users.id, former.id), isFormerHolder(identity), isNull(users.leftAt)),
    hasRow(callers, eq(callers.callerId, former.id)),
  );
  const lost = { ...former, twitterHandle: `${LOST_HANDLE_PREFIX}${former.xUserId}` };
  const { id: callerId, xUserId: xId, twitterHandle } = lost;
  const lostName = { callerId, handle: twitterHandle, name: fullName(lost), xId, at: now };
  return [own, appendLogEntry(nameEvent(lostName), loses)];
}

/** Remembers the handles that callers lose by this sign-in: the one who signs in, and the handle's former holder. */
const rememberHandles = ({ handle, xUserId }: Identity, now: number): SQL => sql`
  INSERT INTO former_handles (handle, user_id, until)
  SELECT lower(u.twitter_handle), u.id, ${now}
  FROM (
    SELECT id FROM users WHERE x_user_id = ${xUserId} AND twitter_handle <> ${handle} COLLATE NOCASE
    UNION ALL
    SELECT id FROM users WHERE twitter_handle = ${handle} COLLATE NOCASE AND x_user_id <> ${xUserId}
  ) moved
  JOIN users u ON u.id = moved.id
  JOIN callers c ON c.caller_id = u.id
  WHERE u.left_at IS NULL AND u.twitter_handle NOT LIKE ${`${LOST_HANDLE_PREFIX}%`}
  ON CONFLICT (handle, user_id) DO UPDATE SET until = excluded.until, taken_at = NULL`;

/** Records that this account has a handle which others had before. */
const takeHandle = ({ handle, xUserId }: Identity, now: number) =>
  build
    .update(formerHandles)
    .set({ takenAt: now })
    .where(
      and(
        eq(formerHandles.handle, handle.toLowerCase()),
        isNull(formerHandles.takenAt),
        ne(formerHandles.userId, valueIn(users.id, eq(users.xUserId, xUserId))),
      ),
    );

const isFormerHolder = ({ handle, xUserId }: Identity) =>
  and(equalsIgnoringCase(users.twitterHandle, handle), ne(users.xUserId, xUserId));

function freeHandle(db: Database, identity: Identity, now: number) {
  const { handle } = identity;
  const formerHolderId = db.select({ id: users.id }).from(users).where(isFormerHolder(identity));
  return [
    db
      .update(callers)
      .set({
        searchText: sql`REPLACE(${callers.searchText}, ${`@${handle.toLowerCase()}`}, '')`,
        handleKey: '',
        updatedAt: later(callers.updatedAt, now),
      })
      .where(eq(callers.callerId, formerHolderId)),
    db
      .update(users)
      .set({ twitterHandle: sql`${LOST_HANDLE_PREFIX} || ${users.xUserId}` })
      .where(isFormerHolder(identity)),
  ] as const;
}
