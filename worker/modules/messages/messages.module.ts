import { createFanOutOutbox, onlyEvents } from '../../adapters/all-senders.ts';
import type { Base } from '../../app/base.ts';
import { SENDER_NAME } from '../../app/env.ts';
import type { Live } from '../../ports/live.ts';
import type { OutgoingEvent } from '../../ports/outbox.ts';
import type { CallersService } from '../market/callers/callers.service.ts';
import type { CallsService } from '../market/calls/calls.service.ts';
import type { TokenCallsService } from '../market/calls/token-calls.service.ts';
import type { PricesService } from '../market/prices/prices.service.ts';
import type { SubscriptionsService } from '../money/subscriptions/subscriptions.service.ts';
import type { ShareImageService } from '../public/shares/share-image.service.ts';
import type { CallerGuard } from '../people/users/caller-guard.ts';
import { createChats } from './chats.module.ts';
import { createChannels } from './channels.module.ts';
import { createResendsService } from './delivery/resends.service.ts';
import { createLiveHub, type LiveHubOptions } from './live/live-hub.ts';
import { createLiveRepository } from './live/live.repository.ts';
import { createCallEventsRepository } from './notifications/call-events.repository.ts';
import { createCallEventsService } from './notifications/call-events.service.ts';
import { createCallUpdatesService } from './notifications/call-updates.service.ts';
import { createDueNoticesService } from './notifications/due-notices.service.ts';
import { createNewEventsRepository } from './notifications/new-events.repository.ts';
import { createNewEventsService } from './notifications/new-events.service.ts';
import { createSendNoticePages } from './notifications/notice-pages.ts';
import { createNoticesRepository } from './notifications/notices.repository.ts';
import { createNoticesService } from './notifications/notices.service.ts';
import { createNotificationSettingsService } from './notifications/notification-settings.service.ts';
import { createRenewalsService } from './notifications/renewals.service.ts';
import { createComposeWebhook, isForWebhooks } from './webhooks/compose-webhook.ts';
import { createTelegram } from './telegram/telegram.module.ts';

interface MessagesOptions {
  readonly callerGuard: CallerGuard;
  readonly callers: CallersService;
  readonly calls: CallsService;
  readonly images: Pick<ShareImageService, 'drawRecap'>;
  readonly prices: PricesService;
  readonly tokenCalls: TokenCallsService;
  readonly live: Live;
  readonly subscriptions: SubscriptionsService;
}

export function createMessagesModule(base: Base, options: MessagesOptions) {
  const { env, db, clock } = base;
  const { calls, subscriptions } = options;
  const outbox = createFanOutOutbox(() => [
    env.SENDER.getByName(SENDER_NAME),
    onlyEvents(env.CHAT_SENDER.getByName(SENDER_NAME), ({ kind }) => kind === 'call_event'),
    env.PUSH_SENDER.getByName(SENDER_NAME),
    onlyEvents(env.WEBHOOK_SENDER.getByName(SENDER_NAME), isForWebhooks),
  ]);
  const chats = createChats(base, { ...options, outbox });
  const { compose, composeWebhook, ...notices } = createNotices(base, { ...options, ...chats, outbox });
  const { callEvents, newEvents } = notices;
  const callUpdates = createCallUpdatesService({ ...base, calls, events: newEvents, recipients: callEvents });
  return {
    ...notices,
    ...chats,
    outbox,
    resends: createResendsService({ ...base, outbox }),
    callUpdates,
    notificationSettings: createNotificationSettingsService(base),
    ...createChannels(base, {
      compose,
      composeWebhook,
      chatChecks: chats.chatChecks,
      listFollowers: callEvents.listFollowers,
      entitlement: subscriptions,
    }),
    ...createTelegram(base, { ...options, ...chats, callUpdates }),
    openLiveHub: (hub: Pick<LiveHubOptions, 'sockets' | 'wakeAt'>) =>
      createLiveHub({
        ...hub,
        repository: createLiveRepository(db),
        entitlement: subscriptions,
        calls,
        clock,
      }),
  };
}

type NoticeOptions = Pick<MessagesOptions, 'callerGuard' | 'live'> & {
  readonly outbox: ReturnType<typeof createFanOutOutbox>;
  readonly telegramChats: ReturnType<typeof createChats>['telegramChats'];
};

function createNotices(base: Base, options: NoticeOptions) {
  const { vars, db, clock, leases } = base;
  const { callerGuard, live, outbox, telegramChats } = options;
  const appOrigin = vars.APP_ORIGIN;
  const job = { ...base, sendPages: createSendNoticePages({ outbox, leases }) };
  const callEventsRepository = createCallEventsRepository(db);
  const noticesRepository = createNoticesRepository(db);
  const callEvents = createCallEventsService({
    repository: callEventsRepository,
    callers: callerGuard,
    clock,
    appOrigin,
  });
  const renewals = createRenewalsService(job);
  const dueNotices = createDueNoticesService(job);
  const newEvents = createNewEventsService({
    repository: createNewEventsRepository(db),
    outbox,
    live,
    clock,
  });
  const notices = createNoticesService({ repository: noticesRepository, appOrigin });
  const compose = (event: OutgoingEvent) => {
    switch (event.kind) {
      case 'call_event':
        return callEvents.compose(event);
      case 'own_level_hit':
        return callEvents.composeForCaller(event);
      case 'renewal':
        return renewals.compose(event);
      case 'chat_problem':
        return telegramChats.composeProblem(event);
      case 'chat_removed':
        return telegramChats.composeRemoval(event);
      default:
        return notices.compose(event.kind, event);
    }
  };
  const composeWebhook = createComposeWebhook({
    callEvents: callEventsRepository,
    notices: noticesRepository,
    renewals,
  });
  return { callEvents, newEvents, renewals, dueNotices, compose, composeWebhook };
}
