import {
  MAX_MESSAGES_PER_FOLLOWER,
  MESSAGES_PER_SECOND,
  NOTICE_LIFETIME_MS,
  NOTIFICATION_LIFETIME_MS,
  PUSHES_PER_SECOND,
  WEBHOOKS_PER_SECOND,
} from '#schema/constants/messages.ts';
import { createVapid } from '../../adapters/vapid.ts';
import { createWebPush, isPushKey, toAddress } from '../../adapters/web-push.ts';
import { createWebhookClient, createWebhookSecret } from '../../adapters/webhook-client.ts';
import type { Base } from '../../app/base.ts';
import { SENDER_NAME } from '../../app/env.ts';
import type { Channel, FollowerChannel } from '../../ports/outbox.ts';
import { createPausesService } from '../money/pauses/pauses.service.ts';
import { createChatChannel } from './chat-posts/chat-channel.ts';
import type { ChatChecks } from './chats/chat-checks.ts';
import { createDeliveriesRepository } from './delivery/deliveries.repository.ts';
import { createOutboxStore } from './delivery/outbox.ts';
import { createPushDeliveriesRepository } from './delivery/push-deliveries.repository.ts';
import { createSender } from './delivery/sender.ts';
import type { FollowersQuery } from './delivery/prepare-batch.ts';
import type { SenderOptions } from './delivery/sender-options.ts';
import type { CallEventsService } from './notifications/call-events.service.ts';
import { createPushRepository } from './push/push.repository.ts';
import { createPushService } from './push/push.service.ts';
import { createTokenCipher } from '../../shared/token-cipher.ts';
import {
  createWebhookDeliveriesRepository,
  createWebhooksRepository,
} from './webhooks/webhooks.repository.ts';
import { createWebhooksService } from './webhooks/webhooks.service.ts';

export interface SenderStorage extends Pick<SenderOptions, 'setAlarm'> {
  readonly sql: SqlStorage;
}

type Compose = SenderOptions['events']['compose'];

type ChannelParts = Pick<
  SenderOptions,
  'repository' | 'messenger' | 'perSecond' | 'perMinute' | 'alarmOperators'
> &
  Partial<Pick<SenderOptions, 'entitlement'>> &
  SenderOptions['events'] & { readonly callLifetimeMs: number };

interface ChannelOptions extends Pick<SenderOptions, 'entitlement'> {
  readonly compose: Compose;
  readonly composeWebhook: Compose;
  readonly chatChecks: ChatChecks;
  readonly listFollowers: CallEventsService['listFollowers'];
}

export function createChannels(base: Base, options: ChannelOptions) {
  const { compose, composeWebhook, listFollowers, entitlement, chatChecks } = options;
  const { env, vars, db, clock, messenger, alarm, metrics } = base;
  const repository = createPushRepository(db);
  const services = vars.PUSH_SERVICES;
  const vapid = createVapid({ key: vars.VAPID_KEY, subject: vars.APP_ORIGIN, clock });
  const defaultUrl = `${vars.APP_ORIGIN}/dashboard`;
  const cipher = createTokenCipher(vars.X_TOKENS_KEY);
  const trustedOrigins = vars.WEBHOOK_LOCAL_ORIGINS;
  const client = createWebhookClient({ cipher, trustedOrigins, ownOrigin: vars.APP_ORIGIN, clock });
  const followersOf = (channel: FollowerChannel) => ({
    listFollowers: (query: FollowersQuery) => listFollowers({ ...query, channel }),
    perMinute: MAX_MESSAGES_PER_FOLLOWER,
  });
  const forPeople = { compose, callLifetimeMs: NOTIFICATION_LIFETIME_MS, alarmOperators: alarm };
  const channels: Readonly<Record<Channel, ChannelParts>> = {
    telegram: {
      ...forPeople,
      ...followersOf('telegram'),
      repository: createDeliveriesRepository(db),
      messenger,
      perSecond: MESSAGES_PER_SECOND,
    },
    chat: {
      ...createChatChannel({ ...base, checks: chatChecks }),
      // A post contains the call's state, so it isn't outdated after an hour.
      callLifetimeMs: NOTICE_LIFETIME_MS,
      alarmOperators: alarm,
    },
    push: {
      ...forPeople,
      ...followersOf('push'),
      repository: createPushDeliveriesRepository(db, toAddress),
      messenger: createWebPush({ vapid, services, defaultUrl, forget: repository.forget, clock }),
      perSecond: PUSHES_PER_SECOND,
    },
    webhook: {
      compose: composeWebhook,
      ...followersOf('webhook'),
      callLifetimeMs: NOTICE_LIFETIME_MS,
      alarmOperators: async () => undefined,
      repository: createWebhookDeliveriesRepository(db),
      messenger: client,
      perSecond: WEBHOOKS_PER_SECOND,
    },
  };
  return {
    push: createPushService({ repository, vapid, services, isKey: isPushKey, clock }),
    webhooks: createWebhooksService({
      repository: createWebhooksRepository(db),
      client,
      createSecret: createWebhookSecret,
      cipher,
      sender: () => env.WEBHOOK_SENDER.getByName(SENDER_NAME),
      clock,
    }),
    openSender(channel: Channel, { sql, setAlarm }: SenderStorage) {
      const { compose: composeEvent, listFollowers: list, callLifetimeMs, ...its } = channels[channel];
      return createSender({
        entitlement,
        ...its,
        channel,
        store: createOutboxStore({ storage: sql, clock, callLifetimeMs }),
        events: { compose: composeEvent, listFollowers: list },
        alarmOperators: ({ kind, details }) => its.alarmOperators({ kind, details: { ...details, channel } }),
        setAlarm,
        isPostingPaused: () => createPausesService(db).isPaused('posting'),
        metrics,
        clock,
      });
    },
  };
}
