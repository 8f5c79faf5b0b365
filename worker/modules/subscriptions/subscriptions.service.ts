import { LIST_MAX_PAGE_SIZE } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { MySubscription, Subscription } from '#schema/contracts/subscriptions.ts';
import { decideEntitlement } from '#schema/rules/entitlement.ts';
import { isFreeFee } from '#schema/rules/lamports.ts';
import { createId } from '../../shared/ids.ts';
import type { ExplorerUrl } from '../../shared/explorer-url.ts';
import { readOptionalCursor } from '../../shared/keyset.ts';
import { cutPage, type Page } from '../../app/pages.ts';
import type { Clock } from '../../ports/clock.ts';
import { describeMySubscription, describeSubscription } from './subscription-view.ts';
import {
  createCallerIsFreeError,
  createCallerNotFoundError,
  createNotFreeError,
  createSelfSubscriptionError,
} from './subscriptions.errors.ts';
import type { SubscriptionsRepository } from './subscriptions.repository.ts';

/** The calls of callers whom a subscriber follows: active ones of `activeCallerIds`, ended ones of all. */
export interface FollowedCalls {
  listOfCallers(question: {
    activeCallerIds: readonly string[];
    endedCallerIds: readonly string[];
  }): Promise<TokenCall[]>;
}

export interface SubscriptionsOptions {
  readonly repository: SubscriptionsRepository;
  readonly followedCalls: FollowedCalls;
  readonly clock: Clock;
  readonly explorerUrl: ExplorerUrl;
}

export function createSubscriptionsService({
  repository,
  followedCalls,
  clock,
  explorerUrl,
}: SubscriptionsOptions) {
  const findTerms = async (question: { viewerId: string | null; callerId: string }) => {
    const terms = await repository.findTerms({ ...question, now: clock.now() });
    if (!terms) throw createCallerNotFoundError();
    return terms;
  };

  return {
    /** Whether the viewer may see this caller's active calls now. @throws callers.not_found */
    async mayReadActiveCalls({
      viewerId,
      callerId,
    }: {
      viewerId: string | null;
      callerId: string;
    }): Promise<boolean> {
      const { feeLamports, periods } = await findTerms({ viewerId, callerId });
      return decideEntitlement({
        viewerId,
        callerId,
        isFree: isFreeFee(feeLamports),
        periods,
        now: clock.now(),
      }).isEntitled;
    },

    /** Those of the viewers who may see this caller's active calls now. @throws callers.not_found */
    async entitledAmong({
      viewerIds,
      callerId,
    }: {
      viewerIds: readonly string[];
      callerId: string;
    }): Promise<string[]> {
      const now = clock.now();
      const { feeLamports } = await findTerms({ viewerId: null, callerId });
      const periods = await repository.listPeriods({ subscriberIds: viewerIds, callerId, now });
      return viewerIds.filter(
        (viewerId) =>
          decideEntitlement({
            viewerId,
            callerId,
            isFree: isFreeFee(feeLamports),
            periods: periods.get(viewerId) ?? [],
            now,
          }).isEntitled,
      );
    },

    /** What a subscription to a Paid caller costs and who is paid. @throws subscriptions.self, subscriptions.caller_is_free, callers.not_found */
    async paidTerms({
      userId,
      callerId,
    }: {
      userId: string;
      callerId: string;
    }): Promise<{ feeLamports: bigint; payoutAddress: string | null }> {
      if (userId === callerId) throw createSelfSubscriptionError();
      const { feeLamports, payoutAddress } = await findTerms({ viewerId: userId, callerId });
      if (isFreeFee(feeLamports)) throw createCallerIsFreeError();
      return { feeLamports, payoutAddress };
    },

    /** Follows a Free caller. Asked again, it answers the grant that stands. */
    async subscribeFree({ userId, callerId }: { userId: string; callerId: string }): Promise<MySubscription> {
      if (userId === callerId) throw createSelfSubscriptionError();
      const { feeLamports } = await findTerms({ viewerId: userId, callerId });
      if (!isFreeFee(feeLamports)) throw createNotFreeError();
      await repository.insertFree({ id: createId(), subscriberId: userId, callerId, now: clock.now() });
      const grant = await repository.findOpenGrant({ subscriberId: userId, callerId });
      if (!grant) throw createNotFreeError();
      return describeMySubscription(grant, { now: clock.now(), explorerUrl });
    },

    /** The period that a payment bought; `null` where a fork took it away. */
    async findByPayment(paymentId: string): Promise<Subscription | null> {
      const row = await repository.findByPayment(paymentId);
      return row && describeSubscription(row, { now: clock.now(), explorerUrl });
    },

    async listMine(userId: string): Promise<MySubscription[]> {
      const now = clock.now();
      return (await repository.listLatestOf(userId)).map((row) =>
        describeMySubscription(row, { now, explorerUrl }),
      );
    },

    /** For the caller, one page of everybody's periods; for anyone else of their own. Newest first. */
    async listOfCaller({
      callerId,
      viewerId,
      cursor,
      limit = LIST_MAX_PAGE_SIZE,
    }: {
      callerId: string;
      viewerId: string;
      cursor: string | undefined;
      limit: number | undefined;
    }): Promise<Page<Subscription>> {
      const now = clock.now();
      const after = readOptionalCursor(cursor);
      const rows = await repository.listOfCaller({
        callerId,
        subscriberId: viewerId === callerId ? null : viewerId,
        cursor: after,
        limit: limit + 1,
      });
      const { shown, nextCursor } = cutPage(rows, limit, ({ created_at, id }) => ({ value: created_at, id }));
      return { rows: shown.map((row) => describeSubscription(row, { now, explorerUrl })), nextCursor };
    },

    /** Calls of the callers whom the user follows; active ones only where the user is entitled now. */
    async listFollowedCalls(userId: string): Promise<TokenCall[]> {
      const now = clock.now();
      const followed = await repository.listFollowed(userId, now);
      const entitled = followed.filter(
        ({ callerId, feeLamports, periods }) =>
          decideEntitlement({ viewerId: userId, callerId, isFree: isFreeFee(feeLamports), periods, now })
            .isEntitled,
      );
      return followedCalls.listOfCallers({
        activeCallerIds: entitled.map(({ callerId }) => callerId),
        endedCallerIds: followed.map(({ callerId }) => callerId),
      });
    },

    expireLapsed: () => repository.expireLapsed(clock.now()),
  };
}
