import type { Base } from '../../../app/base.ts';
import type { MessagesWriter } from '../../../ports/outbox.ts';
import type { PricesService } from '../prices/prices.service.ts';
import type { PausesService } from '../../money/pauses/pauses.service.ts';
import type { SubscriptionsService } from '../../money/subscriptions/subscriptions.service.ts';
import type { CallerGuard } from '../../people/users/caller-guard.ts';

export interface CallsOptions extends Pick<Base, 'db' | 'attempts' | 'clock'> {
  readonly pauses: PausesService;
  readonly prices: PricesService;
  readonly subscriptions: SubscriptionsService;
  readonly callerGuard: CallerGuard;
  readonly messages: MessagesWriter;
}
