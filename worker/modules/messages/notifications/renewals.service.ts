import { OUTBOX_BATCH_SIZE } from '#schema/constants/messages.ts';
import { RENEWAL_REMINDER_DAYS } from '#schema/constants/money.ts';
import { formatSol, isFreeFee } from '#schema/rules/money/lamports.ts';
import {
  endsAtStage,
  isEndedStage,
  isStageOver,
  stagesUpTo,
  type RenewalStage,
} from '#schema/rules/access/renewal.ts';
import type { Base } from '../../../app/base.ts';
import type { RenewalEvent } from '../../../ports/outbox.ts';
import { readCursorPair, writeCursorPair } from '../../../shared/keyset.ts';
import type { SendNoticePages } from './notice-pages.ts';
import { composeRenewalText } from './renewal-text.ts';
import {
  createRenewalsRepository,
  type RenewalsRepository,
  type SubscriptionEnd,
} from './renewals.repository.ts';

interface RenewalsOptions extends Pick<Base, 'db' | 'clock' | 'vars'> {
  readonly sendPages: SendNoticePages;
}

interface StagePage {
  readonly stage: RenewalStage;
  readonly now: number;
  readonly list: () => Promise<readonly SubscriptionEnd[]>;
}

function createStageReminders({
  repository,
  sendPages,
}: Pick<RenewalsOptions, 'sendPages'> & { readonly repository: RenewalsRepository }) {
  /** If silent days have moved an end, the page must be read again, because the end's new place may be on it. */
  const readPage = async ({ stage, now, list }: StagePage) => {
    let ends = await list();
    const due = ends.filter(({ isPending }) => isPending === 1);
    if (due.length > 0) {
      await repository.addSilentDays(
        due.map(({ callerId }) => callerId),
        now,
      );
      ends = await list();
    }
    const moved = ends.filter(({ movedEnd, knownEnd }) => movedEnd > knownEnd);
    if (moved.length > 0) await repository.noteExtensions(moved.map(({ id }) => id));
    const reminders = ends.filter((end) => end.isPending === 1 && !moved.includes(end));
    const events = reminders
      .filter(({ isReachable }) => isReachable === 1)
      .map(({ subscriberId: userId, callerId, endsAt }): RenewalEvent => {
        const id = `renewal:${userId}:${callerId}:${endsAt}:${stage}`;
        return { kind: 'renewal', id, userId, callerId, endsAt, stage };
      });
    const statements =
      reminders.length > 0 ? [repository.markSent({ reminders, stages: stagesUpTo(stage), now })] : [];
    return { ends, hasMoved: moved.length > 0, page: { events, done: reminders.length, statements } };
  };

  return {
    /**
     * Sends reminders of ends that have reached the stage since the last run. Continues after the last end that was
     * passed to the sender, so each end is read only once.
     */
    remindNew: (stage: RenewalStage, now: number) =>
      sendPages({
        job: `renewals.${stage}`,
        async nextPage(position) {
          const range = { stage, ...endsAtStage(stage, now), cursor: readCursorPair(position) };
          const list = () => repository.listEnds({ ...range, limit: OUTBOX_BATCH_SIZE });
          const { ends, hasMoved, page } = await readPage({ stage, now, list });
          const last = ends.at(-1);
          if (!last) return null;
          if (hasMoved) return { ...page, cursor: position };
          const cursor = writeCursorPair({ value: last.knownEnd, id: last.id });
          return { ...page, cursor, isLast: ends.length < OUTBOX_BATCH_SIZE };
        },
      }),

    /** Sends reminders that are due again because a later period was revoked or refunded. */
    remindAgain: (now: number) =>
      sendPages({
        job: 'renewals.again',
        maxPages: RENEWAL_REMINDER_DAYS.length,
        async nextPage(position) {
          const after = Number(position ?? 0);
          const upTo = await repository.findLost({ after, limit: OUTBOX_BATCH_SIZE });
          if (upTo === null) return null;
          const read = await Promise.all(
            RENEWAL_REMINDER_DAYS.map((stage) => {
              const range = { stage, ...endsAtStage(stage, now), lostAfter: after, lostUpTo: upTo };
              return readPage({ stage, now, list: () => repository.listEndsBeforeLost(range) });
            }),
          );
          return {
            events: read.flatMap(({ page }) => page.events),
            done: read.reduce((sum, { page }) => sum + page.done, 0),
            statements: read.flatMap(({ page }) => page.statements),
            cursor: read.some(({ hasMoved }) => hasMoved) ? position : String(upTo),
          };
        },
      }),
  };
}

export type RenewalsService = ReturnType<typeof createRenewalsService>;

export function createRenewalsService({ db, sendPages, clock, vars }: RenewalsOptions) {
  const repository = createRenewalsRepository(db);
  const { remindNew, remindAgain } = createStageReminders({ repository, sendPages });

  return {
    /**
     * Passes due reminders to the sender, beginning with the latest stage. Two runs may overlap. A run reads a limited
     * number of subscriptions.
     */
    async remind(): Promise<number> {
      const now = clock.now();
      let done = 0;
      for (const stage of RENEWAL_REMINDER_DAYS.toReversed()) done += (await remindNew(stage, now)) ?? 0;
      return done + ((await remindAgain(now)) ?? 0);
    },

    /** Null if the subscriber has renewed, the caller is now Free, or the next stage has begun. */
    async compose({ userId, callerId, endsAt: writtenEnd, stage }: RenewalEvent) {
      const now = clock.now();
      const terms = await repository.findTerms({ subscriberId: userId, callerId });
      if (!terms || terms.lastEnd === null || terms.lastWrittenEnd !== writtenEnd) return null;
      const { feeLamports, lastEnd: endsAt } = terms;
      if (isStageOver({ stage, endsAt, now })) return null;
      if (isFreeFee(feeLamports)) return null;
      const isFree = terms.lastIsFree === 1;
      const fee = terms.payoutAddress === null || terms.deletesAt !== null ? null : formatSol(feeLamports);
      const profileUrl = `${vars.APP_ORIGIN}/caller/${callerId}`;
      const text = composeRenewalText({ caller: terms, stage, isFree, endsAt, now, fee, profileUrl });
      const renew = { text: isFree ? 'Subscribe' : 'Renew', url: `${profileUrl}#subscribe` };
      const switchKind = isEndedStage(stage) ? 'subscription_expired' : 'subscription_expiring';
      return { text, buttons: fee === null ? [] : [renew], switchKind, callerId: null } as const;
    },
  };
}
