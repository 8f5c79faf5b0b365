import type { Base } from '../../app/base.ts';
import type { UserOutcomes } from '../../ports/outages.ts';
import type { Live } from '../../ports/live.ts';
import type { CallersService } from '../market/callers/callers.service.ts';
import type { CallsService } from '../market/calls/calls.service.ts';
import type { TokenCallsService } from '../market/calls/token-calls.service.ts';
import type { PricesService } from '../market/prices/prices.service.ts';
import type { PausesService } from '../money/pauses/pauses.service.ts';
import type { SubscriptionsService } from '../money/subscriptions/subscriptions.service.ts';
import type { ShareImageService } from '../public/shares/share-image.service.ts';
import type { CallerGuard } from '../people/users/caller-guard.ts';
import { createChats } from './chats.module.ts';
import { createChannels, createOutbox } from './channels.module.ts';
import { createResendsService } from './delivery/resends.service.ts';
import { createLiveHub, type LiveHubOptions } from './live/live-hub.ts';
import { createLiveRepository } from './live/live.repository.ts';
import { createCallEventsRepository } from './notifications/call-events.repository.ts';
import { createCallEventsService } from './notifications/call-events.service.ts';
import { createCallUpdatesService } from './notifications/call-updates.service.ts';
import { createFactKinds } from './facts/fact-kinds.ts';
import { createMessagesWriter } from './facts/messages-writer.ts';
import { createNoticesRepository } from './facts/notices.repository.ts';
import { createRecipientsRepository } from './facts/recipients.repository.ts';
import { createNotificationSettingsService } from './notifications/notification-settings.service.ts';
import { createRenewalsService } from './facts/renewals.service.ts';
import { createTelegram } from './telegram/telegram.module.ts';

interface MessagesOptions {
  readonly callerGuard: CallerGuard;
  readonly callers: CallersService;
  readonly calls: CallsService;
  readonly images: ShareImageService;
  readonly prices: PricesService;
  readonly tokenCalls: TokenCallsService;
  readonly live: Live;
  readonly pauses: PausesService;
  readonly subscriptions: SubscriptionsService;
  readonly outages: UserOutcomes;
}

export function createMessagesModule(base: Base, options: MessagesOptions) {
  const { env, vars, db, clock } = base;
  const { calls, prices, subscriptions } = options;
  const chats = createChats(base, options);
  const callEvents = createCallEventsRepository(db);
  const kinds = createFactKinds({
    appOrigin: vars.APP_ORIGIN,
    callEvents,
    notices: createNoticesRepository(db),
    renewals: createRenewalsService(base),
    telegramChats: chats.telegramChats,
  });
  const outbox = createOutbox(env, kinds);
  const messagesWriter = createMessagesWriter({ ...base, kinds, outbox, live: options.live });
  const recipients = createRecipientsRepository(db);
  const callUpdates = createCallUpdatesService({ ...base, calls, messages: messagesWriter, recipients });
  return {
    ...chats,
    messagesWriter,
    recipients,
    outbox,
    callEvents: createCallEventsService({ repository: callEvents, callers: options.callerGuard }),
    resends: createResendsService({ ...base, outbox }),
    callUpdates,
    notificationSettings: createNotificationSettingsService(base),
    ...createChannels(base, {
      kinds,
      recipients,
      chatChecks: chats.chatChecks,
      pauses: options.pauses,
      outages: options.outages,
      entitlement: subscriptions,
      messages: messagesWriter,
    }),
    ...createTelegram(base, { ...options, ...chats, callUpdates, messages: messagesWriter }),
    openLiveHub: (hub: Pick<LiveHubOptions, 'sockets' | 'wakeAt'>) =>
      createLiveHub({
        ...hub,
        repository: createLiveRepository(db),
        prices,
        clock,
      }),
  };
}
