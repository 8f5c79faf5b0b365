import type { Base } from '../../../app/base.ts';
import type { CallsRepository } from './calls.repository.ts';
import type { PricesService } from '../prices/prices.service.ts';
import type { SubscriptionsService } from '../../money/subscriptions/subscriptions.service.ts';
import type { CallerGuard } from '../../people/users/caller-guard.ts';
import type { NewEventsService } from '../../messages/notifications/new-events.service.ts';

export type QuotePort = Pick<PricesService, 'livePrices' | 'shownVersion' | 'recentPrice' | 'freshQuote'>;

export type BackgroundQuotePort = Pick<PricesService, 'backgroundQuote'>;

export type EntitlementPort = Pick<
  SubscriptionsService,
  'canSeeActiveCalls' | 'viewCalls' | 'viewFollowedCalls'
> &
  Pick<CallerGuard, 'assertMayOpenCalls'>;

export interface CallsOptions extends Pick<Base, 'attempts' | 'pauses' | 'clock'> {
  readonly repository: CallsRepository;
  readonly quotes: QuotePort;
  readonly entitlement: EntitlementPort;
  readonly events: Pick<NewEventsService, 'notifySoon'>;
}
