import { formatSol, isFreeFee } from '#schema/rules/money/lamports.ts';
import { isStageOver, nextReminderAt, renewalStage } from '#schema/rules/access/renewal.ts';
import type { Base } from '../../../app/base.ts';
import { canBeSubscribed } from '../../money/callers/caller-standing.ts';
import type { CallerSummaryRow } from '../../money/callers/caller-summary.ts';
import type { OutgoingEvent } from '../../../ports/outbox.ts';
import type { Plan } from './fact-kind.ts';
import type { DueFact } from './facts.repository.ts';
import { createRenewalsRepository } from './renewals.repository.ts';

export type RenewalsService = ReturnType<typeof createRenewalsService>;
export type FoundRenewal = NonNullable<Awaited<ReturnType<RenewalsService['find']>>>;

/** Reminders of a subscription's end. The fact that is due names the period, the message also its end and the stage. */
export function createRenewalsService({ db, clock }: Pick<Base, 'db' | 'clock'>) {
  const repository = createRenewalsRepository(db);

  return {
    /**
     * The reminder whose time has come, and the time of the next one. Silent days may have moved the end since the fact was
     * written. A renewed subscription needs none; its new period has its own.
     */
    async plan(facts: readonly DueFact[]): Promise<Plan[]> {
      const now = clock.now();
      const ends = await repository.listEnds(
        facts.map(({ subject }) => subject),
        now,
      );
      const byId = new Map(ends.map((end) => [end.id, end]));
      return facts.map((fact) => {
        const end = byId.get(fact.subject);
        if (end === undefined || end.isLast === 0) return { fact, subject: null, next: null };
        const { endsAt, days, callerId, subscriberId, writtenEnd } = end;
        const stage = renewalStage(endsAt, now, days);
        const isDue = stage !== null && end.isPaid === 1;
        const at = nextReminderAt(endsAt, now, days);
        return {
          fact,
          subject: isDue ? `${subscriberId}:${callerId}:${writtenEnd}:${stage}` : null,
          next: at === null ? null : { kind: 'renewal', subject: fact.subject, userId: fact.userId, at },
        };
      });
    },

    /** Null if the subscriber has renewed, the caller is now Free, or the next stage has begun. */
    async find({ subject }: OutgoingEvent) {
      const now = clock.now();
      const [subscriberId = '', callerId = '', end, days] = subject.split(':');
      const [writtenEnd, stage] = [Number(end), Number(days)];
      const terms = await repository.findTerms({ subscriberId, callerId });
      if (!terms || terms.lastEnd === null || terms.lastWrittenEnd !== writtenEnd) return null;
      const { fee_lamports: feeLamports, lastEnd: endsAt, lastDays: bought, lastIsFree } = terms;
      const caller: CallerSummaryRow = terms;
      if (isStageOver({ stage, endsAt, now }) || isFreeFee(feeLamports)) return null;
      const fee = canBeSubscribed(terms) ? formatSol(feeLamports) : null;
      return { caller, callerId, writtenEnd, endsAt, bought, stage, now, isFree: lastIsFree === 1, fee };
    },
  };
}
