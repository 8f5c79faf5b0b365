import { LIST_MAX_PAGE_SIZE } from '#schema/constants/app.ts';
import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import { decideMember } from '#schema/rules/access/chat-members.ts';
import { accessEndsAt } from '#schema/rules/access/entitlement.ts';
import { needsPaidConfirmation } from '#schema/rules/access/telegram-chats.ts';
import { isFreeFee } from '#schema/rules/money/lamports.ts';
import { HttpError } from 'grammy';
import type { Base } from '../../../app/base.ts';
import { RateLimitedError } from '../../../ports/messenger.ts';
import type { Timer } from '../../../ports/timer.ts';
import { mapConcurrently } from '../../../shared/concurrency.ts';
import { describeError } from '../../../shared/describe-error.ts';
import type { ChatChecks } from './chat-checks.ts';
import {
  createAccessRepository,
  type MemberChange,
  type MemberRow,
  type Outcome,
} from './access.repository.ts';
import { createJoinMessages } from './join-messages.ts';

const CHAT_MEMBERS_PER_RUN = 200;
/** After a change of chats' rules or of the bot's rights, so many members are made due per run, in slices of one chat each. */
const RECHECKED_PER_RUN = 2_000;
const RECHECKED_PER_SLICE = RECHECKED_PER_RUN / 10;
const RECHECKED_SLICES_PER_RUN = 50;

export interface AccessOptions extends Pick<
  Base,
  'db' | 'chats' | 'messenger' | 'attempts' | 'lifetime' | 'clock' | 'vars'
> {
  readonly checks: ChatChecks;
  /** Starts `checkDue` in time, because the cron runs only once a minute. */
  readonly timer: Timer;
}

export type AccessService = ReturnType<typeof createAccessService>;

export function createAccessService(options: AccessOptions) {
  const { db, lifetime, clock } = options;
  const repository = createAccessRepository(db);
  const messages = createJoinMessages(options);
  const settle = createSettle(options);
  const settleAndTell = async (rows: readonly MemberRow[], isTold: boolean): Promise<void> => {
    for (const row of await settle(rows, { isTold })) await messages.sayIsIn(row).catch(() => undefined);
  };

  const makeDue = async () => {
    let left = RECHECKED_PER_RUN;
    for (let slices = 0; slices < RECHECKED_SLICES_PER_RUN && left > 0; slices++) {
      const limit = Math.min(left, RECHECKED_PER_SLICE);
      const read = await repository.makeNextDue({ now: clock.now(), limit });
      if (read === null) return;
      left -= read;
    }
  };

  return {
    /** Stores a request to join, and approves it for people with access. Tells others how to get in. */
    async request(change: MemberChange): Promise<void> {
      const { chatId, person } = change;
      if (!(await repository.noteRequest({ ...change, now: clock.now() }))) return;
      const row = await repository.findMember({ chatId, personId: person.id, now: clock.now() });
      if (row !== null) await settle([row], { isTold: true });
    },

    checkSoon: (userId: string): void =>
      lifetime.keepAlive(
        repository
          .claimOfUser({ userId, now: clock.now(), limit: LIST_MAX_PAGE_SIZE })
          .then((rows) => settleAndTell(rows, false)),
      ),

    async checkDue(): Promise<number> {
      await makeDue();
      const due = await repository.claimDue({ now: clock.now(), limit: CHAT_MEMBERS_PER_RUN });
      await settleAndTell(due, true);
      return due.length;
    },
  };
}

function decide(row: MemberRow, now: number) {
  const { userId: viewerId, callerId, feeLamports, periods, paidSince } = row;
  const isFree = isFreeFee(feeLamports);
  return decideMember({
    ...row,
    isFree,
    accessEndsAt: accessEndsAt({ viewerId, callerId, isFree, standing: row, periods, now }),
    paidSince: needsPaidConfirmation(row) ? null : paidSince,
    now,
  });
}

/** Telegram lets the bot write to somebody for this long after a request, even without Start. */
const CONTACT_MS = 5 * MINUTE_MS;

/**
 * Returns a function that carries out and stores decisions about people, and returns the people whom it let in.
 * With `isTold`, people who must wait get a message on how to get in.
 */
function createSettle({ chats, checks, timer, clock, ...options }: AccessOptions) {
  const repository = createAccessRepository(options.db);
  const messages = createJoinMessages(options);
  /** Finds out what became of a request that an administrator has decided or the person has withdrawn. */
  const findFate = async (row: MemberRow): Promise<Outcome['fate']> => {
    const status = await chats.findMember(row);
    return status === 'out' ? null : { status, isByUs: row.isByUs, checkAt: clock.now() };
  };
  const act = async (row: MemberRow, isTold: boolean): Promise<Outcome['fate']> => {
    const { action, isByUs, checkAt } = decide(row, clock.now());
    switch (action) {
      case 'approve':
        return (await chats.approve(row)) ? { status: 'in', isByUs, checkAt } : findFate(row);
      case 'decline':
        return (await chats.decline(row)) ? null : findFate(row);
      case 'remove':
        return (await chats.remove(row)) ? null : { status: 'admin', isByUs: false, checkAt: null };
      case 'keep':
        // A trigger added this person, who may not be in the chat. It adds them again when their access ends.
        if (row.status === 'in' && row.name === '') return null;
        // If Telegram refuses the message, this throws, and the person is due again.
        if (isTold && row.status === 'asking' && clock.now() < row.since + CONTACT_MS) {
          await messages.sayHowToGetIn(row);
        }
        return { status: row.status, isByUs, checkAt };
    }
  };

  return async (rows: readonly MemberRow[], { isTold }: { isTold: boolean }): Promise<MemberRow[]> => {
    const failing = new Set<string>();
    let retryAt = Infinity;
    // One failure holds up no others, unless Telegram doesn't respond at all.
    let isTelegramDown = false;
    const outcomes = await mapConcurrently(rows, async (row): Promise<Outcome | null> => {
      if (isTelegramDown) return null;
      try {
        return { row, fate: await act(row, isTold) };
      } catch (error) {
        const { chatId, callerId, status, isByUs } = row;
        console.warn(JSON.stringify({ event: 'chat.refused', chatId, error: describeError(error) }));
        if (error instanceof RateLimitedError) {
          const checkAt = clock.now() + error.waitSeconds * SECOND_MS;
          retryAt = Math.min(retryAt, checkAt);
          return { row, fate: { status, isByUs, checkAt } };
        }
        isTelegramDown ||= error instanceof HttpError;
        failing.add(callerId);
        return null;
      }
    });
    const settled = outcomes.filter((outcome) => outcome !== null);
    await repository.store(settled);
    if (retryAt < Infinity) await timer.wakeAt(retryAt);
    for (const callerId of failing) {
      await checks.checkAllOf(callerId).catch(() => undefined);
    }
    return settled.flatMap(({ row, fate }) =>
      row.status === 'asking' && fate?.status === 'in' ? [row] : [],
    );
  };
}
