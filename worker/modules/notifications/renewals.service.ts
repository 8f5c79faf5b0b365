import { QUEUE_BATCH_SIZE } from '#schema/constants.ts';
import { formatSol, isFreeFee } from '#schema/rules/lamports.ts';
import {
  endsAtStage,
  isStageOver,
  RENEWAL_STAGES,
  stagesUpTo,
  type RenewalStage,
} from '#schema/rules/renewal.ts';
import { nameOf } from '../../shared/caller-summary.ts';
import type { KeysetCursor } from '../../shared/keyset.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MessageOf, Notice, NotificationQueue } from './notification-message.ts';
import { composeRenewalText } from './renewal-text.ts';
import type { RenewalsRepository, UntoldEnd } from './renewals.repository.ts';

/** Each page is a read, a batch for the queue and a write: of each stage so many pages stay well within a worker's subrequests. */
const PAGES_PER_STAGE = 20;

export interface RenewalsOptions {
  readonly repository: RenewalsRepository;
  readonly queue: NotificationQueue;
  readonly clock: Clock;
  readonly appOrigin: string;
}

/** Tells subscribers that what they have with a caller ends: a week before, a day before, and when it has. */
export function createRenewalsService({ repository, queue, clock, appOrigin }: RenewalsOptions) {
  /** Queue first, mark second: what dies in between is queued again, and its chat is told once all the same. */
  const tell = async ({
    ends,
    stage,
    now,
  }: {
    ends: readonly UntoldEnd[];
    stage: RenewalStage;
    now: number;
  }): Promise<number> => {
    const reachable = ends.filter(({ hasChat }) => hasChat === 1);
    if (reachable.length > 0) {
      await queue.sendBatch(
        reachable.map(({ subscriberId, callerId, endsAt }) => ({
          body: { kind: 'renewal', userId: subscriberId, callerId, endsAt, stage },
        })),
      );
    }
    // Who has no chat is marked too: connecting one later brings no pile of what is long over.
    await repository.markTold({ ends, stages: stagesUpTo(stage), now });
    return reachable.length;
  };

  const remindAt = async (stage: RenewalStage, now: number): Promise<{ noted: number; queued: number }> => {
    const sum = { noted: 0, queued: 0 };
    let cursor: KeysetCursor | null = null;
    for (let page = 0; page < PAGES_PER_STAGE; page++) {
      const ends: UntoldEnd[] = await repository.listUntold({
        stage,
        ...endsAtStage(stage, now),
        cursor,
        limit: QUEUE_BATCH_SIZE,
      });
      if (ends.length > 0) sum.queued += await tell({ ends, stage, now });
      sum.noted += ends.length;
      const last = ends.at(-1);
      if (!last || ends.length < QUEUE_BATCH_SIZE) break;
      cursor = { value: last.endsAt, id: last.id };
    }
    return sum;
  };

  return {
    /** Puts into the queue what subscribers are to be told now, the most pressing first. May run at any time and twice at once. */
    async remind(): Promise<{ noted: number; queued: number }> {
      const now = clock.now();
      const sum = { noted: 0, queued: 0 };
      for (const stage of RENEWAL_STAGES.toReversed()) {
        const { noted, queued } = await remindAt(stage, now);
        sum.noted += noted;
        sum.queued += queued;
      }
      return sum;
    },

    /** A reminder, unless it was renewed, the caller is Free by now, or a later one says more. */
    async findNotice({ userId, callerId, endsAt, stage }: MessageOf<'renewal'>): Promise<Notice | null> {
      const now = clock.now();
      const terms = await repository.findTerms({ subscriberId: userId, callerId });
      if (!terms || terms.last_end !== endsAt || isStageOver({ stage, endsAt, now })) return null;
      const feeLamports = BigInt(terms.fee_lamports);
      if (isFreeFee(feeLamports)) return null;
      const text = composeRenewalText({
        callerName: nameOf(terms),
        callerHandle: terms.twitter_handle,
        stage,
        isFree: terms.last_is_free === 1,
        endsAt,
        now,
        fee: terms.payout_address === null ? null : formatSol(feeLamports),
        profileUrl: `${appOrigin}/caller/${callerId}`,
      });
      return { eventId: `renewal:${userId}:${callerId}:${endsAt}:${stage}`, text };
    },
  };
}
