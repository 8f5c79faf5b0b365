import type { RenderPage } from '../../ports/page-renderer.ts';
import type { CallersService } from '../market/callers/callers.service.ts';
import type { CallDetailsService } from '../market/calls/call-details.service.ts';
import type { CallsService } from '../market/calls/calls.service.ts';
import type { TokenCallsService } from '../market/calls/token-calls.service.ts';
import type { SealedUrls } from '../market/prices/sealed-urls.ts';
import type { PricesService } from '../market/prices/prices.service.ts';
import type { Outage } from '#schema/contracts/status.ts';
import type { PausesService } from '../money/pauses/pauses.service.ts';
import type { SubscriptionsService } from '../money/subscriptions/subscriptions.service.ts';
import type { CallerGuard } from '../people/users/caller-guard.ts';

/** The services of lower floors that public pages use, and the page's renderer. */
export interface PublicOptions {
  readonly callDetails: CallDetailsService;
  readonly callerGuard: CallerGuard;
  readonly callers: CallersService;
  readonly calls: CallsService;
  readonly pauses: PausesService;
  readonly lastKnownOutages: () => readonly Outage[];
  readonly prices: PricesService;
  readonly renderPage: RenderPage;
  readonly sealedUrls: SealedUrls;
  readonly subscriptions: SubscriptionsService;
  readonly tokenCalls: TokenCallsService;
}
