import {
  HOUR_MS,
  OUTBOX_BATCH_SIZE,
  RENEWAL_FIRST_RUN_MS,
  RENEWAL_REMINDER_DAYS,
} from '#schema/constants.ts';
import { formatSol, isFreeFee } from '#schema/rules/money/lamports.ts';
import {
  endsAtStage,
  isEndedStage,
  isStageOver,
  stagesUpTo,
  type RenewalStage,
} from '#schema/rules/access/renewal.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Outbox, RenewalEvent } from '../../../ports/outbox.ts';
import { nameOf } from '../../../shared/caller-summary.ts';
import type { JobLeases } from '../../../shared/job-leases.ts';
import { readCursorPair, writeCursorPair, type KeysetCursor } from '../../../shared/keyset.ts';
import { composeRenewalText } from './renewal-text.ts';
import type { RenewalsRepository, SubscriptionEnd } from './renewals.repository.ts';

/**
 * The maximum of pages per run: `new` for ends that have reached a stage since the last run, `others` for
 * all other ends.
 */
const PAGES = { new: 20, others: 5 } as const;

interface RenewalsOptions {
  readonly repository: RenewalsRepository;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly leases: JobLeases;
  readonly clock: Clock;
  readonly appOrigin: string;
}

interface EndsRange {
  readonly stage: RenewalStage;
  /** Unix ms, as all times in this file. `after` isn't part of the range. */
  readonly after: number;
  readonly until: number;
  readonly cursor: KeysetCursor | null;
  readonly pages: number;
  readonly now: number;
  /** Stores the position after each page. */
  readonly save?: (cursor: KeysetCursor) => Promise<unknown>;
}

export interface Reminded {
  readonly noted: number;
  readonly added: number;
}

interface RemindedPage {
  readonly reminders: readonly SubscriptionEnd[];
  readonly stage: RenewalStage;
  readonly now: number;
}

type StageReminder = (stage: RenewalStage, now: number) => Promise<Reminded | null>;

/** Two ways to find the due reminders of a stage. */
function createStageReminders({
  repository,
  outbox,
  leases,
}: Pick<RenewalsOptions, 'repository' | 'outbox' | 'leases'>) {
  const handOver = async ({ reminders, stage, now }: RemindedPage): Promise<number> => {
    const events = reminders
      .filter(({ isReachable }) => isReachable === 1)
      .map(({ subscriberId: userId, callerId, endsAt }): RenewalEvent => {
        const id = `renewal:${userId}:${callerId}:${endsAt}:${stage}`;
        return { kind: 'renewal', id, userId, callerId, endsAt, stage };
      });
    if (events.length > 0) await outbox.add(events);
    // Also mark the reminders of users without a chat. Otherwise connecting a chat later would send old
    // reminders.
    await repository.markSent({ reminders, stages: stagesUpTo(stage), now });
    return events.length;
  };

  /** Returns the position after the last page. `isDone` is true at the end of the range. */
  const remindRange = async ({ stage, after, until, pages, now, save, ...from }: EndsRange) => {
    const sum = { noted: 0, added: 0 };
    let { cursor } = from;
    for (let page = 0; page < pages; page++) {
      const list = () => repository.listEnds({ stage, after, until, cursor, limit: OUTBOX_BATCH_SIZE });
      let ends = await list();
      const due = ends.filter(({ isPending }) => isPending === 1);
      if (due.length > 0) {
        await repository.addSilentDays(
          due.map(({ callerId }) => callerId),
          now,
        );
        ends = await list();
      }
      const extended = ends.filter(({ movedEnd, knownEnd }) => movedEnd > knownEnd);
      if (extended.length > 0) await repository.noteExtensions(extended.map(({ id }) => id));
      const reminders = ends.filter((end) => end.isPending === 1 && !extended.includes(end));
      if (reminders.length > 0) sum.added += await handOver({ reminders, stage, now });
      sum.noted += reminders.length;
      const last = ends.at(-1);
      if (last) cursor = { value: last.knownEnd, id: last.id };
      if (last && cursor) await save?.(cursor);
      if (ends.length < OUTBOX_BATCH_SIZE) return { sum, cursor, isDone: true };
    }
    return { sum, cursor, isDone: false };
  };

  /**
   * Sends reminders of ends that have reached the stage since the last run. Continues after the last end that was
   * passed to the sender, so each end is read only once.
   */
  const remindNew: StageReminder = (stage, now) =>
    leases.run({
      job: `renewals.${stage}.new`,
      work: async (lease) => {
        const { after, until } = endsAtStage(stage, now);
        const cursor = readCursorPair(lease.cursor) ?? { value: until - RENEWAL_FIRST_RUN_MS, id: '' };
        const save = (position: KeysetCursor) => lease.commit({ cursor: writeCursorPair(position) });
        return (await remindRange({ stage, after, until, cursor, pages: PAGES.new, now, save })).sum;
      },
    });

  /**
   * Scans all other ends, once an hour. Finds reminders that are due again after a fork. The cursor is the last run's
   * position, or the hour of the last whole scan.
   */
  const sweep: StageReminder = (stage, now) =>
    leases.run({
      job: `renewals.${stage}`,
      work: async (lease) => {
        const done = `done ${now - (now % HOUR_MS)}`;
        if (lease.cursor === done) return null;
        const range = { stage, ...endsAtStage(stage, now), pages: PAGES.others, now };
        const from = lease.cursor?.startsWith('done ') ? null : lease.cursor;
        const { sum, cursor, isDone } = await remindRange({ ...range, cursor: readCursorPair(from) });
        await lease.commit({ cursor: isDone || cursor === null ? done : writeCursorPair(cursor) });
        return sum;
      },
    });

  return { remindNew, sweep };
}

export type RenewalsService = ReturnType<typeof createRenewalsService>;

/** Reminders to subscribers before the end (`RENEWAL_REMINDER_DAYS`) and when it has ended. */
export function createRenewalsService({ repository, outbox, leases, clock, appOrigin }: RenewalsOptions) {
  const { remindNew, sweep } = createStageReminders({ repository, outbox, leases });

  return {
    /**
     * Passes due reminders to the sender, beginning with the latest stage. Two runs may overlap. A run reads a limited
     * number of subscriptions.
     */
    async remind(): Promise<Reminded> {
      const now = clock.now();
      const parts: (Reminded | null)[] = [];
      for (const stage of RENEWAL_REMINDER_DAYS.toReversed()) {
        parts.push(await remindNew(stage, now));
        parts.push(await sweep(stage, now));
      }
      const sumOf = (name: keyof Reminded) => parts.reduce((sum, part) => sum + (part?.[name] ?? 0), 0);
      return { noted: sumOf('noted'), added: sumOf('added') };
    },

    /**
     * Composes the reminder. Null if the subscriber has renewed, if the caller is now Free, or if the
     * next stage has begun.
     */
    async compose({ userId, callerId, endsAt: writtenEnd, stage }: RenewalEvent) {
      const now = clock.now();
      const terms = await repository.findTerms({ subscriberId: userId, callerId });
      if (!terms || terms.lastEnd === null || terms.lastWrittenEnd !== writtenEnd) return null;
      const { feeLamports, lastEnd: endsAt } = terms;
      if (isStageOver({ stage, endsAt, now })) return null;
      if (isFreeFee(feeLamports)) return null;
      const text = composeRenewalText({
        callerName: nameOf(terms),
        callerHandle: terms.twitter_handle,
        stage,
        isFree: terms.lastIsFree === 1,
        endsAt,
        now,
        fee: terms.payoutAddress === null || terms.deletesAt !== null ? null : formatSol(feeLamports),
        profileUrl: `${appOrigin}/caller/${callerId}`,
      });
      const switchKind = isEndedStage(stage) ? 'subscription_expired' : 'subscription_expiring';
      return { text, switchKind, callerId: null } as const;
    },
  };
}
