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
import type { RenewalEvent } from '../../../ports/outbox.ts';
import { nameOf } from '../../../shared/caller-summary.ts';
import { readCursorPair, writeCursorPair, type KeysetCursor } from '../../../shared/keyset.ts';
import type { SendNoticePages } from './notice-pages.ts';
import { composeRenewalText } from './renewal-text.ts';
import type { RenewalsRepository } from './renewals.repository.ts';

/**
 * The maximum of pages per run: `new` for ends that have reached a stage since the last run, `others` for
 * all other ends.
 */
const PAGES = { new: 20, others: 5 } as const;

interface RenewalsOptions {
  readonly repository: RenewalsRepository;
  readonly sendPages: SendNoticePages;
  readonly clock: Clock;
  readonly appOrigin: string;
}

interface StagePage {
  readonly stage: RenewalStage;
  readonly cursor: KeysetCursor | null;
  /** Unix ms, as all times in this file. */
  readonly now: number;
}

/** Two ways to find the due reminders of a stage. */
function createStageReminders({ repository, sendPages }: Pick<RenewalsOptions, 'repository' | 'sendPages'>) {
  const readPage = async ({ stage, cursor, now }: StagePage) => {
    const list = () =>
      repository.listEnds({ stage, ...endsAtStage(stage, now), cursor, limit: OUTBOX_BATCH_SIZE });
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
    const events = reminders
      .filter(({ isReachable }) => isReachable === 1)
      .map(({ subscriberId: userId, callerId, endsAt }): RenewalEvent => {
        const id = `renewal:${userId}:${callerId}:${endsAt}:${stage}`;
        return { kind: 'renewal', id, userId, callerId, endsAt, stage };
      });
    const statements =
      reminders.length > 0 ? [repository.markSent({ reminders, stages: stagesUpTo(stage), now })] : [];
    const last = ends.at(-1);
    const isLast = ends.length < OUTBOX_BATCH_SIZE;
    return {
      events,
      done: reminders.length,
      statements,
      isLast,
      last: last ? { value: last.knownEnd, id: last.id } : null,
    };
  };

  return {
    /**
     * Sends reminders of ends that have reached the stage since the last run. Continues after the last end that was
     * passed to the sender, so each end is read only once.
     */
    remindNew: (stage: RenewalStage, now: number) =>
      sendPages({
        job: `renewals.${stage}.new`,
        maxPages: PAGES.new,
        async nextPage(position) {
          const first = { value: endsAtStage(stage, now).until - RENEWAL_FIRST_RUN_MS, id: '' };
          const { last, ...page } = await readPage({ stage, cursor: readCursorPair(position) ?? first, now });
          return last && { ...page, cursor: writeCursorPair(last) };
        },
      }),

    /**
     * Scans all other ends, once an hour. Finds reminders that are due again after a fork. The cursor is the last run's
     * position, or the hour of the last whole scan.
     */
    sweep: (stage: RenewalStage, now: number) =>
      sendPages({
        job: `renewals.${stage}`,
        maxPages: PAGES.others,
        async nextPage(position) {
          const done = `done ${now - (now % HOUR_MS)}`;
          if (position === done) return null;
          const cursor = position?.startsWith('done ') ? null : readCursorPair(position);
          const { last, ...page } = await readPage({ stage, cursor, now });
          return { ...page, cursor: page.isLast || last === null ? done : writeCursorPair(last) };
        },
      }),
  };
}

export type RenewalsService = ReturnType<typeof createRenewalsService>;

/** Reminders to subscribers before the end (`RENEWAL_REMINDER_DAYS`) and when it has ended. */
export function createRenewalsService({ repository, sendPages, clock, appOrigin }: RenewalsOptions) {
  const { remindNew, sweep } = createStageReminders({ repository, sendPages });

  return {
    /**
     * Passes due reminders to the sender, beginning with the latest stage. Two runs may overlap. A run reads a limited
     * number of subscriptions.
     */
    async remind(): Promise<number> {
      const now = clock.now();
      let done = 0;
      for (const stage of RENEWAL_REMINDER_DAYS.toReversed()) {
        done += (await remindNew(stage, now)) ?? 0;
        done += (await sweep(stage, now)) ?? 0;
      }
      return done;
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
