import { LIST_MAX_PAGE_SIZE } from '#schema/constants/app.ts';
import { MAX_FREE_FOLLOWS } from '#schema/constants/money.ts';
import type { MySubscription, Subscription } from '#schema/contracts/subscriptions.ts';
import { isViewerEntitled } from '#schema/rules/access/entitlement.ts';
import { isFreeFee } from '#schema/rules/money/lamports.ts';
import type { SaleTerms } from '#schema/rules/money/lengths.ts';
import { isListed } from '#schema/rules/people/standing.ts';
import { toDay } from '#schema/rules/text/utc-day.ts';
import type { Base } from '../../../app/base.ts';
import { AppError } from '../../../app/errors.ts';
import { cutPage, type Page } from '../../../app/pages.ts';
import type { Live } from '../../../ports/live.ts';
import { createId } from '../../../shared/ids.ts';
import { readOptionalCursor } from '../../../shared/keyset.ts';
import { describeMySubscription, describeSubscription } from './subscription-view.ts';
import type { SubscriptionsRepository, Terms } from './subscriptions.repository.ts';

const FEE_SLICES_PER_RUN = 15;

const LAPSED_PAGE_SIZE = 100;
const LAPSED_PAGES = 50;
const WALK_DONE = '~';

export interface SubscriptionsOptions extends Pick<Base, 'leases' | 'explorerUrl' | 'clock'> {
  readonly repository: SubscriptionsRepository;
  readonly live: Pick<Live, 'peopleChanged'>;
}

export interface Viewing {
  readonly viewerId: string | null;
  readonly callerId: string;
}

export interface Candidates {
  readonly userIds: readonly string[];
  readonly callerId: string;
}

export interface PairRequest {
  readonly userId: string;
  readonly callerId: string;
}

export type SubscriptionsService = ReturnType<typeof createSubscriptionsService>;

export function createSubscriptionsService(options: SubscriptionsOptions) {
  return {
    ...createEntitlement(options),
    ...createSubscribing(options),
    ...createSubscriptionLists(options),
    /** Adds the last midnight to the silent days of silent callers, once per caller and day. */
    extendForSilence: () => extendForSilence(options),
    async changeFees(): Promise<number> {
      const { repository, clock } = options;
      let slices = 0;
      while (slices < FEE_SLICES_PER_RUN) {
        const callerIds = await repository.listFeeChanges(FEE_SLICES_PER_RUN - slices);
        if (callerIds.length === 0) break;
        for (const callerId of callerIds) await repository.changeNextSlice(callerId, clock.now());
        slices += callerIds.length;
      }
      return slices;
    },
    /**
     * Expires or extends at most LAPSED_PAGES pages of periods whose last known end has passed. The next run continues
     * with the rest. Returns the number of these periods.
     */
    async expireLapsed(): Promise<number> {
      let checked = 0;
      for (let page = 0; page < LAPSED_PAGES; page++) {
        const found = await options.repository.expireLapsed({
          now: options.clock.now(),
          limit: LAPSED_PAGE_SIZE,
        });
        checked += found;
        if (found < LAPSED_PAGE_SIZE) break;
      }
      return checked;
    },
  };
}

/** Walks the callers with paid periods, a few pages per run. The cursor is the day and the last caller. */
const extendForSilence = ({ repository, leases, clock }: SubscriptionsOptions) =>
  leases.run({
    job: 'subscriptions.silence',
    work: async (lease) => {
      const now = clock.now();
      const day = toDay(now);
      let [doneDay, after = ''] = lease.cursor?.split(' ') ?? [];
      if (doneDay !== day) after = '';
      for (let page = 0; page < LAPSED_PAGES && after !== WALK_DONE; page++) {
        const callerIds = await repository.listPaidCallers({ after, limit: LAPSED_PAGE_SIZE });
        after = callerIds.length < LAPSED_PAGE_SIZE ? WALK_DONE : (callerIds.at(-1) ?? WALK_DONE);
        const statements = repository.extendForSilence(callerIds, now);
        await lease.commit({ statements, cursor: `${day} ${after}` });
      }
      return { day, isDone: after === WALK_DONE };
    },
  });

function createFindTerms({ repository, clock }: SubscriptionsOptions) {
  return async (viewing: Viewing): Promise<Terms> => {
    const terms = await repository.findTerms({ ...viewing, now: clock.now() });
    if (!terms) throw new AppError({ code: 'callers.not_found' });
    return terms;
  };
}

function isEntitledTo(viewerId: string | null, terms: Terms, now: number): boolean {
  const { callerId, feeLamports, standing, periods } = terms;
  const isFree = isFreeFee(feeLamports);
  return isViewerEntitled({ viewerId, callerId, isFree, standing, periods, now });
}

function createEntitlement(options: SubscriptionsOptions) {
  const { repository, clock } = options;
  const findTerms = createFindTerms(options);
  const isEntitled = (viewerId: string | null, terms: Terms) => isEntitledTo(viewerId, terms, clock.now());
  // Everybody is entitled to a Free caller's calls, but only followers get them on their dashboard and in their chat.
  const isEntitledFollower = (userId: string, terms: Terms) =>
    terms.periods.length > 0 && isEntitled(userId, terms);

  return {
    async canSeeActiveCalls(viewing: Viewing): Promise<boolean> {
      return isEntitled(viewing.viewerId, await findTerms(viewing));
    },

    /** False for people who aren't callers and, except with access, for hidden callers. */
    async canSeeCaller(viewing: Viewing): Promise<boolean> {
      const terms = await repository.findTerms({ ...viewing, now: clock.now() });
      return terms !== null && (!terms.standing.isHidden || isEntitled(viewing.viewerId, terms));
    },

    /**
     * The numbers that decide whether a list of the caller's active calls has changed.
     * @throws callers.not_found, also for a hidden caller without access
     */
    async viewCalls(viewing: Viewing) {
      const terms = await findTerms(viewing);
      const { activeCalls, version, standing } = terms;
      const canSeeActiveCalls = isEntitled(viewing.viewerId, terms);
      if (standing.isHidden && !canSeeActiveCalls) throw new AppError({ code: 'callers.not_found' });
      return { canSeeActiveCalls, activeCalls, version };
    },

    /** The followers among `userIds` who may see this caller's active calls. @throws callers.not_found */
    async entitledAmong({ userIds, callerId }: Candidates): Promise<string[]> {
      const terms = await findTerms({ viewerId: null, callerId });
      const periods = await repository.listPeriods({ subscriberIds: userIds, callerId, now: clock.now() });
      return userIds.filter((id) => isEntitledFollower(id, { ...terms, periods: periods.get(id) ?? [] }));
    },

    async listFollowedCallers(userId: string): Promise<string[]> {
      const followed = await repository.listFollowed(userId, clock.now());
      return followed
        .filter((terms) => terms.activeCalls > 0 && isEntitledFollower(userId, terms))
        .map(({ callerId }) => callerId);
    },

    /**
     * Whose active and whose ended calls the user's list has: active ones of callers whom the user still follows and has
     * access to, ended ones of all whom the user follows or has followed. `version` changes with their calls.
     */
    async viewFollowedCalls(userId: string) {
      const followed = await repository.listFollowed(userId, clock.now());
      const active = followed.filter((terms) => terms.activeCalls > 0 && isEntitledFollower(userId, terms));
      const ended = followed.filter(
        (terms) => terms.endedCalls > 0 && (!terms.standing.isHidden || isEntitledFollower(userId, terms)),
      );
      return {
        version: [
          userId,
          followed.map(({ callerId, version }) => [callerId, version]),
          active.map(({ callerId }) => callerId),
          ended.map(({ callerId }) => callerId),
        ],
        active,
        ended,
      };
    },
  };
}

function createSubscribing(options: SubscriptionsOptions) {
  const { repository, live, clock, explorerUrl } = options;
  const findTerms = createFindTerms(options);
  const announce = ({ userId, callerId }: PairRequest) => {
    live.peopleChanged({ userIds: [userId], topic: 'payments' });
    live.peopleChanged({ userIds: [callerId], topic: 'earnings' });
  };
  const assertOpen = (userId: string, terms: Terms) => {
    const { standing, isLeaving } = terms;
    if (isListed(standing)) {
      if (isLeaving) throw new AppError({ code: 'subscriptions.caller_leaving' });
      return;
    }
    const isUnknown = standing.isHidden && !isEntitledTo(userId, terms, clock.now());
    throw isUnknown
      ? new AppError({ code: 'callers.not_found' })
      : new AppError({ code: 'subscriptions.caller_suspended' });
  };
  const createNotFollowedError = async (userId: string) =>
    (await repository.countFree(userId)) >= MAX_FREE_FOLLOWS
      ? new AppError({ code: 'subscriptions.too_many' })
      : new AppError({ code: 'subscriptions.not_free' });

  return {
    /**
     * The lengths that a Paid caller sells, and the payout wallet.
     * @throws subscriptions.self, subscriptions.caller_is_free, subscriptions.caller_leaving, subscriptions.caller_suspended,
     * callers.not_found
     */
    async paidTerms({ userId, callerId }: PairRequest): Promise<SaleTerms & Pick<Terms, 'payoutAddress'>> {
      if (userId === callerId) throw new AppError({ code: 'subscriptions.self' });
      const terms = await findTerms({ viewerId: userId, callerId });
      const { feeLamports, payoutAddress, sellsWeek } = terms;
      assertOpen(userId, terms);
      if (isFreeFee(feeLamports)) throw new AppError({ code: 'subscriptions.caller_is_free' });
      const isSteady = await repository.isSteady(callerId, clock.now());
      return { feeLamports, payoutAddress, sellsWeek, isSteady };
    },

    /** @throws subscriptions.caller_leaving, subscriptions.caller_suspended, callers.not_found */
    async assertTakesPayments({ userId, callerId }: PairRequest): Promise<void> {
      assertOpen(userId, await findTerms({ viewerId: userId, callerId }));
    },

    /**
     * Follows a Free caller. Repeating the request returns the same grant.
     * @throws subscriptions.self, subscriptions.not_free, subscriptions.too_many, subscriptions.caller_leaving,
     * subscriptions.caller_suspended, callers.not_found
     */
    async subscribeFree({ userId, callerId }: PairRequest): Promise<MySubscription> {
      if (userId === callerId) throw new AppError({ code: 'subscriptions.self' });
      const terms = await findTerms({ viewerId: userId, callerId });
      assertOpen(userId, terms);
      if (!isFreeFee(terms.feeLamports)) throw new AppError({ code: 'subscriptions.not_free' });
      await repository.insertFree({ id: createId(), subscriberId: userId, callerId, now: clock.now() });
      const grant = await repository.findOpenGrant({ subscriberId: userId, callerId });
      if (!grant) throw await createNotFollowedError(userId);
      announce({ userId, callerId });
      const { periods: unended } = await findTerms({ viewerId: userId, callerId });
      return describeMySubscription(grant, { now: clock.now(), explorerUrl, unended });
    },

    /**
     * Ends a free follow. Paid time stays.
     * @throws subscriptions.paid_time_left, subscriptions.not_found, callers.not_found
     */
    async unfollow({ userId, callerId }: PairRequest): Promise<void> {
      if (await repository.deleteFree({ subscriberId: userId, callerId, now: clock.now() })) {
        return announce({ userId, callerId });
      }
      const { periods } = await findTerms({ viewerId: userId, callerId });
      throw periods.length > 0
        ? new AppError({ code: 'subscriptions.paid_time_left' })
        : new AppError({ code: 'subscriptions.not_found' });
    },

    /** The period that a payment bought; `null` if a fork has removed the payment from the chain. */
    async findByPayment(paymentId: string): Promise<Subscription | null> {
      const row = await repository.findByPayment(paymentId);
      return row && describeSubscription(row, { now: clock.now(), explorerUrl });
    },
  };
}

function createSubscriptionLists({ repository, clock, explorerUrl }: SubscriptionsOptions) {
  return {
    async listMine(userId: string): Promise<MySubscription[]> {
      const context = { now: clock.now(), explorerUrl };
      const [latest, followed] = await Promise.all([
        repository.listLatestOf(userId),
        repository.listFollowed(userId, context.now),
      ]);
      const unended = new Map(followed.map(({ callerId, periods }) => [callerId, periods]));
      return latest.map((row) =>
        describeMySubscription(row, { ...context, unended: unended.get(row.caller_id) ?? [] }),
      );
    },

    /** One page of the periods with a caller, newest first. Users other than the caller get only their own. */
    async listOfCaller({
      callerId,
      userId,
      cursor,
      limit = LIST_MAX_PAGE_SIZE,
    }: {
      callerId: string;
      userId: string;
      cursor: string | undefined;
      limit: number | undefined;
    }): Promise<Page<Subscription>> {
      const context = { now: clock.now(), explorerUrl };
      const rows = await repository.listOfCaller({
        callerId,
        subscriberId: userId === callerId ? null : userId,
        cursor: readOptionalCursor(cursor),
        limit: limit + 1,
      });
      const { shown, nextCursor } = cutPage(rows, limit, ({ created_at, id }) => ({ value: created_at, id }));
      return { rows: shown.map((row) => describeSubscription(row, context)), nextCursor };
    },
  };
}
