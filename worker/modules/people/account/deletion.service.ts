import { ERASED_SLICES_PER_RUN } from '#schema/constants/people.ts';
import type { Base } from '../../../app/base.ts';
import { AppError, assertFreshSignIn } from '../../../app/errors.ts';
import type { Live } from '../../../ports/live.ts';
import { afterItsEnd } from '../../../shared/database.ts';
import { createDeletionRepository } from './deletion.repository.ts';
import type { Deletion } from './deletion-statements.repository.ts';

/** A deletion takes up to 300 statements if calls must be ended first. */
const DELETIONS_PER_RUN = 3;

interface DeletionOptions extends Pick<Base, 'db' | 'clock'> {
  /** A list of deletions outside of the database, so that they can be repeated in a restored backup. */
  readonly deletions: Readonly<Record<'add' | 'remove', (userId: string, now: number) => Promise<void>>> &
    Readonly<Record<'addRequest' | 'removeRequest', (userId: string) => Promise<void>>>;
  readonly calls: {
    /** Ends a caller's open calls at the lowest price. Returns true if there was no open call. */
    endAllOf(callerId: string): Promise<boolean>;
  };
  readonly live: Pick<Live, 'peopleChanged'>;
}

export type DeletionStart = Pick<Deletion, 'userId' | 'record'>;

export interface DeletionRequest {
  readonly userId: string;
  readonly signedInAt: number;
  readonly handle: string;
}

export type DeletionService = ReturnType<typeof createDeletionService>;

export function createDeletionService({ db, deletions, calls, live, clock }: DeletionOptions) {
  const repository = createDeletionRepository(db);
  const request = async (deletion: DeletionStart): Promise<number | null> => {
    const deletesAt = await repository.request({ ...deletion, now: clock.now() });
    if (deletesAt !== null) await deletions.addRequest(deletion.userId);
    return deletesAt;
  };
  const assertNoOpenCalls = async (userId: string): Promise<void> => {
    const symbols = await repository.listOpenSymbols(userId);
    if (symbols.length > 0) throw createOpenCallsError(symbols);
  };

  /** Returns false and changes nothing if the account has open calls, or paid subscribers for whom it must wait. */
  const erase = async ({ userId, record }: DeletionStart): Promise<boolean> => {
    const now = clock.now();
    await deletions.add(userId, now);
    const isDeleted = await repository.markDeleted({ userId, now, record });
    if (!isDeleted) {
      await deletions.remove(userId, now);
      return false;
    }
    await afterItsEnd(() => repository.eraseSlice({ userId, from: 0, now }));
    live.peopleChanged({ userIds: [userId], topic: 'sessions' });
    return true;
  };

  /** Returns the time of a later deletion; null if the account is deleted now. */
  const start = async (deletion: DeletionStart): Promise<number | null> => {
    const deletesAt = await request(deletion);
    if (deletesAt !== null) return deletesAt;
    await assertNoOpenCalls(deletion.userId);
    if (await erase(deletion)) return null;
    // A payment was recorded or a call opened in the meantime.
    const waitsUntil = await request(deletion);
    if (waitsUntil !== null) return waitsUntil;
    throw createOpenCallsError(await repository.listOpenSymbols(deletion.userId));
  };

  /** @throws account.handle_mismatch */
  const assertHandle = async (userId: string, handle: string): Promise<void> => {
    const expected = await repository.findHandle(userId);
    const typed = handle.trim().replace(/^@/, '');
    if (typed.toLowerCase() !== expected?.toLowerCase()) {
      throw new AppError({ code: 'account.handle_mismatch' });
    }
  };

  return {
    assertHandle,

    preview: (userId: string) => repository.preview({ userId, now: clock.now() }),

    /** For an operator, without the person's confirmation. @throws account.open_calls */
    start,

    /**
     * Deletes the account, which ends all sessions. The account of a caller with paid subscribers is deleted later.
     * @returns the time of a later deletion; null if the account is deleted now
     * @throws account.handle_mismatch, account.open_calls, auth.fresh_sign_in_needed
     */
    async delete({ userId, signedInAt, handle }: DeletionRequest): Promise<number | null> {
      await assertHandle(userId, handle);
      assertFreshSignIn({ signedInAt, now: clock.now(), action: 'delete your account' });
      return start({ userId });
    },

    /** @throws account.deletion_due */
    async takeBack(start: DeletionStart): Promise<void> {
      const isTakenBack = await repository.takeBack({ ...start, now: clock.now() });
      if (!isTakenBack) throw new AppError({ code: 'account.deletion_due' });
      await deletions.removeRequest(start.userId);
    },

    /** Ends the calls of callers whose deletion is due, and deletes the accounts a run later. */
    async deleteDue(): Promise<number> {
      let done = 0;
      for (const userId of await repository.listDue(clock.now(), DELETIONS_PER_RUN)) {
        if (!(await calls.endAllOf(userId))) continue;
        if (!(await erase({ userId }))) continue;
        await deletions.removeRequest(userId);
        done += 1;
      }
      return done;
    },

    /** Erases the next slices of deleted accounts, the oldest deletion first. Returns the number of slices. */
    async eraseRest(): Promise<number> {
      for (let slices = 0; slices < ERASED_SLICES_PER_RUN; slices++) {
        const next = await repository.findUnerased();
        if (next === null) return slices;
        await repository.eraseSlice({ ...next, now: clock.now() });
      }
      return ERASED_SLICES_PER_RUN;
    },
  };
}

const createOpenCallsError = (symbols: readonly string[]) =>
  new AppError({
    code: 'account.open_calls',
    message: `End your open calls first: ${symbols.join(', ')}. Nothing was deleted.`,
    details: { symbols },
  });
