import type { Base } from '../../../app/base.ts';
import type { PricesService } from '../prices/prices.service.ts';
import type { PausesService } from '../../money/pauses/pauses.service.ts';
import type { SubscriptionsService } from '../../money/subscriptions/subscriptions.service.ts';
import type { CallerGuard } from '../../people/users/caller-guard.ts';

interface NewCallEvent {
  readonly kind: 'call_opened' | 'call_ended';
  readonly id: string;
  readonly callerId: string;
}

export interface CallsOptions extends Pick<Base, 'db' | 'attempts' | 'clock'> {
  readonly pauses: PausesService;
  readonly prices: PricesService;
  readonly subscriptions: SubscriptionsService;
  readonly callerGuard: CallerGuard;
  readonly events: { notifySoon(event: NewCallEvent): Promise<void> };
}
