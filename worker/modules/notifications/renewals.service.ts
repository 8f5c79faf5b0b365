import { OUTBOX_BATCH_SIZE } from '#schema/constants.ts';
import { formatSol, isFreeFee } from '#schema/rules/lamports.ts';
import {
  endsAtStage,
  isStageOver,
  RENEWAL_STAGES,
  stagesUpTo,
  type RenewalStage,
} from '#schema/rules/renewal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventOf, Outbox } from '../../ports/outbox.ts';
import { nameOf } from '../../shared/caller-summary.ts';
import type { KeysetCursor } from '../../shared/keyset.ts';
import { composeRenewalText } from './renewal-text.ts';
import type { PendingReminder, RenewalsRepository } from './renewals.repository.ts';

const PAGES_PER_STAGE = 20;

interface RenewalsOptions {
  readonly repository: RenewalsRepository;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly clock: Clock;
  readonly appOrigin: string;
}

interface RemindedPage {
  readonly reminders: readonly PendingReminder[];
  readonly stage: RenewalStage;
  readonly now: number;
}

/** Reminders to subscribers: a week before the end, a day before, and when it has ended. */
export function createRenewalsService({ repository, outbox, clock, appOrigin }: RenewalsOptions) {
  const handOver = async ({ reminders, stage, now }: RemindedPage): Promise<number> => {
    const events = reminders
      .filter(({ hasChat }) => hasChat === 1)
      .map(({ subscriberId: userId, callerId, endsAt }): EventOf<'renewal'> => {
        const id = `renewal:${userId}:${callerId}:${endsAt}:${stage}`;
        return { kind: 'renewal', id, userId, callerId, endsAt, stage };
      });
    if (events.length > 0) await outbox.add(events);
    // Marks the reminders of users without a chat, too. Otherwise connecting a chat later would send old
    // reminders.
    await repository.markSent({ reminders, stages: stagesUpTo(stage), now });
    return events.length;
  };

  const remindAt = async (stage: RenewalStage, now: number): Promise<{ noted: number; added: number }> => {
    const sum = { noted: 0, added: 0 };
    let cursor: KeysetCursor | null = null;
    for (let page = 0; page < PAGES_PER_STAGE; page++) {
      const reminders: PendingReminder[] = await repository.listPending({
        stage,
        ...endsAtStage(stage, now),
        cursor,
        limit: OUTBOX_BATCH_SIZE,
      });
      if (reminders.length > 0) sum.added += await handOver({ reminders, stage, now });
      sum.noted += reminders.length;
      const last = reminders.at(-1);
      if (!last || reminders.length < OUTBOX_BATCH_SIZE) break;
      cursor = { value: last.endsAt, id: last.id };
    }
    return sum;
  };

  return {
    /** Gives due reminders to the sender, beginning with the latest stage. Two runs may overlap. */
    async remind(): Promise<{ noted: number; added: number }> {
      const now = clock.now();
      const sum = { noted: 0, added: 0 };
      for (const stage of RENEWAL_STAGES.toReversed()) {
        const { noted, added } = await remindAt(stage, now);
        sum.noted += noted;
        sum.added += added;
      }
      return sum;
    },

    /**
     * The text of the reminder. Null if the subscriber has renewed, if the caller is now Free, or if the
     * next stage has begun.
     */
    async compose({ userId, callerId, endsAt, stage }: EventOf<'renewal'>) {
      const now = clock.now();
      const terms = await repository.findTerms({ subscriberId: userId, callerId });
      if (!terms || terms.lastEnd !== endsAt || isStageOver({ stage, endsAt, now })) return null;
      const { feeLamports } = terms;
      if (isFreeFee(feeLamports)) return null;
      const text = composeRenewalText({
        callerName: nameOf(terms),
        callerHandle: terms.twitter_handle,
        stage,
        isFree: terms.lastIsFree === 1,
        endsAt,
        now,
        fee: terms.payoutAddress === null ? null : formatSol(feeLamports),
        profileUrl: `${appOrigin}/caller/${callerId}`,
      });
      const switchKind = stage === 'ended' ? 'subscription_expired' : 'subscription_expiring';
      return { text, switchKind, callerId: null } as const;
    },
  };
}
