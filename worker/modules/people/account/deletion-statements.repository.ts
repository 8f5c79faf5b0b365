import { and, eq, gt, inArray, isNotNull, isNull, lte, ne, notExists, sql, type SQL } from 'drizzle-orm';
import { alias, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import {
  DELETION_MAX_WAIT_MS,
  ERASED_CALLS_PER_SLICE,
  ERASED_SALTS_PER_SLICE,
} from '#schema/constants/people.ts';
import { DELETED_ACCOUNT, DELETED_CALLER, deletedHandle } from '#schema/rules/people/person-name.ts';
import { callHoldings } from '#schema/tables/call-holdings.ts';
import { callUpdates } from '#schema/tables/call-updates.ts';
import { callers } from '#schema/tables/callers.ts';
import { calls } from '#schema/tables/calls.ts';
import { logEntries, logSalts } from '#schema/tables/log.ts';
import { reports } from '#schema/tables/reports.ts';
import { subscriptions } from '#schema/tables/subscriptions.ts';
import { chatPosts, telegramChats } from '#schema/tables/telegram-chats.ts';
import { allTables, factsOf, type DeclaredColumn } from '#schema/tables/table.ts';
import { users } from '#schema/tables/users.ts';
import { copyUsersToCallers } from '../../money/callers/caller-copies.repository.ts';
import { isLeaving } from '../../money/callers/caller-standing.ts';
import type { Statement } from '../../../shared/job-leases.ts';
import { appendLogEntry } from '../../log/log-entries.repository.ts';
import { recordPayoutChange } from '../../money/wallets/wallets.repository.ts';
import { paidBack } from '../../money/payments/paid-periods.repository.ts';
import { addSilentDays } from '../../money/subscriptions/silent-days.repository.ts';
import { allOf, anyOf, build, fewer, hasNoRow, hasRow, later, valueIn } from '../../../shared/sql.ts';
import { isFree } from '../../money/subscriptions/subscribers.repository.ts';
import { belongTo, emptied, emptyRows, eraseRows, personsTable } from './own-rows.repository.ts';

export interface Deletion {
  readonly userId: string;
  readonly now: number;
  /** True for a restored backup, in which a call that ended before the deletion may still be open. */
  readonly mayHaveOpenCalls?: boolean;
  /** Writes an operator's audit entry if the condition holds. Runs first, because later statements change it. */
  readonly record?: ((condition: SQL) => Statement) | undefined;
}

export interface ErasedSlice {
  readonly userId: string;
  /** Texts of calls up to this time are already erased. */
  readonly from: number;
}

/** The tables with personal data that are erased in the same way, each before the tables that it references. */
const erasedTables = () =>
  allTables()
    .toReversed()
    .filter((table) => {
      const facts = factsOf(table).table;
      return facts.of !== undefined && facts.erasedByHand === undefined;
    });

/** Calls and their rows are erased in slices, because they may be too many for one batch. */
const isOfCalls = (table: SQLiteTable) => personsTable(table) === calls;

const isOf = (table: SQLiteTable, userId: string) => belongTo(table, (personId) => eq(personId, userId));

const chatsOf = (userId: string) =>
  build.select({ id: telegramChats.chatId }).from(telegramChats).where(eq(telegramChats.callerId, userId));

/** Rows of the caller's open calls. SQLite would search all calls of the caller otherwise. */
export const openCalls = (userId: string) => sql`
  FROM calls INDEXED BY calls_active WHERE caller_id = ${userId} AND ended_at IS NULL`;

const isPaidOf = (userId: string) =>
  sql`caller_id = ${userId} AND payment_id IS NOT NULL AND status = 'active'`;

/** The end of the last paid period: computed if silent days have moved the ends, else read from an index. */
const lastPaidEnd = (userId: string) => sql`iif(
  EXISTS (SELECT 1 FROM silent_days WHERE caller_id = ${userId}),
  (SELECT MAX(ends_at) FROM periods WHERE ${isPaidOf(userId)}),
  (SELECT MAX(ends_at) FROM subscriptions WHERE ${isPaidOf(userId)}))`;

/** Maximum of the paid periods and subscribers that are counted before a deletion. */
const MAX_COUNTED = 1_000;

/** The effects of a deletion now, or of the scheduled one. `at` is NULL if the account would be deleted at once. */
export const deletionPreview = ({ userId, now }: Deletion) => sql`
  SELECT caller_id, deletes_at AS requested_for,
    COALESCE(deletes_at, iif(${lastPaidEnd(userId)} > ${now}, MIN(${lastPaidEnd(userId)}, ${now + DELETION_MAX_WAIT_MS}), NULL)) AS at,
    EXISTS (SELECT 1 ${openCalls(userId)}) AS has_open_calls,
    (SELECT COUNT(*) FROM (
      SELECT DISTINCT subscriber_id FROM subscriptions INDEXED BY subscriptions_paid_until
      WHERE ${isPaidOf(userId)} AND known_end > ${now}
      LIMIT ${MAX_COUNTED})) AS paid_subscribers
  FROM callers
  WHERE caller_id = ${userId}`;

/** Paid periods that last longer than the account, and what was paid back of each. */
export const longerPeriods = (userId: string, deletesAt: number) => sql`
  SELECT m.caller_lamports, m.paid_back, p.starts_at, p.ends_at
  FROM (
    SELECT s.id, y.caller_lamports, ${paidBack(sql`y.id`)} AS paid_back
    FROM subscriptions s INDEXED BY subscriptions_paid_ends
    JOIN payments y ON y.id = s.payment_id
    WHERE s.caller_id = ${userId} AND s.payment_id IS NOT NULL AND s.known_end > ${deletesAt}
    LIMIT ${MAX_COUNTED}) m
  JOIN periods p ON p.id = m.id`;

/** The caller has paid subscribers, and the deletion isn't scheduled yet. */
const mustWait = ({ userId, now }: Deletion) =>
  allOf(
    eq(callers.callerId, userId),
    isNull(callers.deletesAt),
    // SQLite would read the free followers first without the index.
    sql`EXISTS (
      SELECT 1 FROM subscriptions s INDEXED BY subscriptions_paid_until
      WHERE ${isPaidOf(userId)} AND (SELECT ends_at FROM periods WHERE id = s.id) > ${now})`,
  );

/**
 * Marks the account as deleted and erases everything except the texts of calls. Run the statements in this order. The
 * last statement returns a row if the account is deleted now.
 */
export function deletionStatements({ userId, now, mayHaveOpenCalls = false, record }: Deletion): Statement[] {
  const isDeleted = hasRow(users, eq(users.id, userId), isNotNull(users.deletedAt));
  const isReady = [
    sql`NOT EXISTS (SELECT 1 ${openCalls(userId)})`,
    hasNoRow(callers, mustWait({ userId, now })),
    hasNoRow(callers, eq(callers.callerId, userId), gt(callers.deletesAt, now)),
  ];
  const canDelete = allOf(
    eq(users.id, userId),
    isNull(users.deletedAt),
    ...(mayHaveOpenCalls ? [] : isReady),
  );
  // A backup may have an account as deleted and still have rows that the deletion erased.
  const mayErase = anyOf(isDeleted, hasRow(users, canDelete));
  const isCaller = hasRow(callers, eq(callers.callerId, userId));
  const isOwnCaller = and(eq(callers.callerId, userId), isDeleted);
  const pseudonym = deletedHandle(userId);
  return [
    ...(record ? [record(hasRow(users, canDelete))] : []),
    appendLogEntry(
      {
        callerId: userId,
        kind: 'deleted',
        callId: null,
        subjectId: userId,
        content: {},
        salt: null,
        at: now,
      },
      allOf(isCaller, hasRow(users, canDelete, isNull(users.leftAt))),
    ),
    build.delete(chatPosts).where(and(inArray(chatPosts.chatId, chatsOf(userId)), hasRow(users, canDelete))),
    ...erasedTables()
      .filter((table) => !isOfCalls(table))
      .flatMap((table) => eraseRows(table, and(isOf(table, userId), mayErase))),
    build
      .update(users)
      .set({
        ...emptied(users),
        deletedAt: now,
        // The scheduled time, even if the cron is late.
        leftAt: sql`COALESCE(${valueIn(callers.deletesAt, eq(callers.callerId, userId))}, ${now})`,
        updatedAt: now,
        xUserId: pseudonym,
        xIdHash: sql`iif(${isCaller} OR ${users.isSuspended}, ${users.xIdHash}, NULL)`,
        twitterHandle: pseudonym,
        firstName: sql`iif(${isCaller}, ${DELETED_CALLER}, ${DELETED_ACCOUNT})`,
      })
      .where(canDelete),
    ...recordPayoutChange({ to: null, at: now, where: isOwnCaller }),
    build
      .update(callers)
      .set({
        ...emptied(callers),
        deletesAt: null,
        searchText: 'deleted caller',
        updatedAt: later(callers.updatedAt, now),
      })
      .where(isOwnCaller),
    copyUsersToCallers([userId]),
    closeReports(and(eq(reports.kind, 'caller'), eq(reports.subjectId, userId), isDeleted), now),
    ...endFollows(userId, isDeleted),
    build
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, userId), isNotNull(users.deletedAt))),
  ];
}

/**
 * Schedules the deletion if the caller has paid subscribers, and erases data that they don't need. The last statement
 * returns the scheduled time, also if an earlier request scheduled it.
 */
export function requestStatements({ userId, now, record }: Deletion): Statement[] {
  const isOwn = eq(callers.callerId, userId);
  const isRequested = isLeaving(userId);
  const canRequest = mustWait({ userId, now });
  return [
    addSilentDays(sql`(${userId})`, now),
    ...(record ? [record(hasRow(callers, canRequest))] : []),
    build
      .update(callers)
      .set({
        deletesAt: sql`MIN(${lastPaidEnd(userId)}, ${now + DELETION_MAX_WAIT_MS})`,
        updatedAt: later(callers.updatedAt, now),
      })
      .where(canRequest),
    ...allTables()
      .toReversed()
      .flatMap((table) => eraseAtRequest(table, userId, isRequested)),
    build
      .select({ deletesAt: callers.deletesAt })
      .from(callers)
      .where(and(isOwn, isNotNull(callers.deletesAt))),
  ];
}

function eraseAtRequest(table: SQLiteTable, userId: string, isRequested: SQL): Statement[] {
  const { table: facts, columns } = factsOf(table);
  const isNeedless = ({ atRequest }: DeclaredColumn) => atRequest === true;
  if (!facts.atRequest && !Object.values(columns).some(isNeedless)) return [];
  const isOwn = and(isOf(table, userId), isRequested);
  return facts.atRequest ? eraseRows(table, isOwn) : emptyRows(table, isOwn, isNeedless);
}

/** Selects the time of the slice's last call as `called_at`. Returns no row for the last slice. */
export const lastOfSlice = ({ userId, from }: ErasedSlice) =>
  build
    .select({ calledAt: calls.calledAt })
    .from(calls)
    .where(and(eq(calls.callerId, userId), gt(calls.calledAt, from)))
    .orderBy(calls.calledAt)
    .limit(1)
    .offset(ERASED_CALLS_PER_SLICE - 1);

/** Erases a slice's texts. `last` is the result of `lastOfSlice`; null for the last slice. */
export function sliceStatements(erasure: ErasedSlice & Deletion & { last: number | null }): Statement[] {
  const { userId, from, last, now } = erasure;
  const isInSlice = allOf(
    eq(calls.callerId, userId),
    gt(calls.calledAt, from),
    lte(calls.calledAt, last ?? Number.MAX_SAFE_INTEGER),
  );
  const rowsInSlice = (table: SQLiteTable) => belongTo(table, () => isInSlice);
  const slice = build.select({ id: calls.id }).from(calls).where(isInSlice);
  const updates = build
    .select({ id: callUpdates.id })
    .from(calls)
    .innerJoin(callUpdates, eq(callUpdates.callId, calls.id))
    .where(isInSlice);
  const isErased = and(eq(users.id, userId), isNotNull(users.deletedAt));
  const isSalt = eq(logSalts.callerId, userId);
  const salts = build.select({ number: logSalts.number }).from(logSalts).where(isSalt);
  const lastSalt = salts.orderBy(logSalts.number).limit(1).offset(ERASED_SALTS_PER_SLICE);
  return [
    ...erasedTables()
      .filter(isOfCalls)
      .flatMap((table) => eraseRows(table, rowsInSlice(table))),
    // Later steps can't read the chain, because the wallets are deleted.
    build
      .update(callHoldings)
      .set({
        wallets: '[]',
        dueAt: null,
        readUntil: sql`COALESCE(${callHoldings.readUntil}, ${now})`,
        state: sql`COALESCE(${callHoldings.state}, 'unread')`,
      })
      .where(
        and(
          inArray(callHoldings.callId, slice),
          anyOf(isNotNull(callHoldings.dueAt), ne(callHoldings.wallets, '[]')),
        ),
      ),
    closeReports(and(eq(reports.kind, 'call'), inArray(reports.subjectId, slice)), now),
    closeReports(and(eq(reports.kind, 'update'), inArray(reports.subjectId, updates)), now),
    eraseLogged(
      and(eq(logEntries.callerId, userId), inArray(logEntries.callId, slice), isNotNull(logEntries.textSalt)),
    ),
    eraseLogged(
      inArray(
        logEntries.id,
        build
          .select({ id: logEntries.id })
          .from(logEntries)
          .where(isLoggedName(userId))
          .limit(ERASED_CALLS_PER_SLICE),
      ),
    ),
    build
      .delete(logSalts)
      .where(and(isSalt, lte(logSalts.number, sql`IFNULL(${lastSalt}, ${Number.MAX_SAFE_INTEGER})`))),
    last === null
      ? build
          .update(users)
          .set({ erasedAt: now })
          .where(and(isErased, hasNoRow(logEntries, isLoggedName(userId)), hasNoRow(logSalts, isSalt)))
      : build.update(users).set({ erasedTo: last }).where(isErased),
  ];
}

/** Closes other people's open reports, because the reported content is erased. */
const closeReports = (which: SQL | undefined, now: number) =>
  build
    .update(reports)
    .set({ text: null, resolvedAt: now })
    .where(and(which, isNull(reports.resolvedAt)));

/** Matches the caller's names in the log, and the reasons of operators' acts that concern no call. */
const isLoggedName = (userId: string) =>
  and(eq(logEntries.callerId, userId), isNull(logEntries.callId), isNotNull(logEntries.textSalt));

/** Erases texts and their salts, so that the texts can't be checked against the public log. */
const eraseLogged = (which: SQL | undefined) =>
  build.update(logEntries).set({ text: null, textSalt: null }).where(which);

/** Ends the free follows of the user. Paid periods stay, because the ledger has them. */
function endFollows(userId: string, isDeleted: SQL): Statement[] {
  const paid = alias(subscriptions, 'paid');
  const isFollow = and(eq(subscriptions.subscriberId, userId), isFree);
  const paysToo = build
    .select({ id: paid.id })
    .from(paid)
    .where(
      and(
        eq(paid.subscriberId, userId),
        eq(paid.callerId, subscriptions.callerId),
        eq(paid.status, 'active'),
        isNotNull(paid.paymentId),
      ),
    );
  const followed = build
    .select({ callerId: subscriptions.callerId })
    .from(subscriptions)
    .where(and(isFollow, eq(subscriptions.status, 'active'), notExists(paysToo)));
  return [
    build
      .update(callers)
      .set({ subscriberCount: fewer(callers.subscriberCount) })
      .where(and(isDeleted, inArray(callers.callerId, followed))),
    build.delete(subscriptions).where(and(isFollow, isDeleted)),
  ];
}
