import type { Clock } from '../../../ports/clock.ts';
import type { Attempts } from '../../../shared/attempts.ts';
import type { Pauses } from '../../../shared/pauses.ts';
import type { CallsRepository } from './calls.repository.ts';
import type { PricesService } from '../prices/prices.service.ts';
import type { SubscriptionsService } from '../../money/subscriptions/subscriptions.service.ts';
import type { CallerGuard } from '../../people/users/caller-guard.ts';
import type { NewEventsService } from '../../messages/notifications/new-events.service.ts';

export type QuotePort = Pick<PricesService, 'livePrices' | 'shownVersion' | 'recentPrice' | 'freshQuote'>;

export type BackgroundQuotePort = Pick<PricesService, 'backgroundQuote'>;

export type EntitlementPort = Pick<SubscriptionsService, 'canSeeActiveCalls' | 'viewCalls'> &
  Pick<CallerGuard, 'assertMayOpenCalls'>;

export interface CallsOptions {
  readonly repository: CallsRepository;
  readonly quotes: QuotePort;
  readonly attempts: Pick<Attempts, 'take'>;
  readonly pauses: Pick<Pauses, 'assertRunning'>;
  readonly entitlement: EntitlementPort;
  readonly events: Pick<NewEventsService, 'notifySoon'>;
  readonly clock: Clock;
}
