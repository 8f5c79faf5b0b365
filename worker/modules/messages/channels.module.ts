import {
  MAX_MESSAGES_PER_FOLLOWER,
  MESSAGES_PER_SECOND,
  PUSHES_PER_SECOND,
  WEBHOOKS_PER_SECOND,
} from '#schema/constants/messages.ts';
import { isCallEventKind } from '#schema/contracts/notifications.ts';
import { toOutage } from '../../adapters/telegram-bot.ts';
import { createVapid } from '../../adapters/vapid.ts';
import { createWebPush } from '../../adapters/web-push.ts';
import { createWebhookClient } from '../../adapters/webhook-client.ts';
import type { Base } from '../../app/base.ts';
import type { Messenger } from '../../ports/messenger.ts';
import type { UserOutcomes } from '../../ports/outages.ts';
import {
  CHANNELS,
  type Channel,
  type MessagesWriter,
  type Outbox,
  type OutgoingEvent,
} from '../../ports/outbox.ts';
import { createTokenCipher } from '../../shared/token-cipher.ts';
import type { PausesService } from '../money/pauses/pauses.service.ts';
import { createChatChannel } from './chat-posts/chat-channel.ts';
import type { ChatChecks } from './chats/chat-checks.ts';
import { createDeliveriesRepository } from './delivery/deliveries.repository.ts';
import { createOutboxStore } from './delivery/outbox.repository.ts';
import { createPushDeliveriesRepository } from './delivery/push-deliveries.repository.ts';
import { createSender } from './delivery/sender.ts';
import type { SenderOptions } from './delivery/sender-options.ts';
import { createPeopleEvents } from './facts/people-events.ts';
import type { FactKinds } from './facts/fact-kinds.ts';
import type { RecipientsRepository } from './facts/recipients.repository.ts';
import { createPushRepository } from './push/push.repository.ts';
import { createPushService } from './push/push.service.ts';
import { createWebhookDeliveriesRepository } from './webhooks/webhooks.repository.ts';
import { createWebhooksService } from './webhooks/webhooks.service.ts';

export interface SenderStorage extends Pick<SenderOptions, 'setAlarm'> {
  readonly sql: SqlStorage;
}

/** The parts of a sender that each channel has of its own. */
type ChannelParts = Pick<
  SenderOptions,
  'events' | 'repository' | 'messenger' | 'combines' | 'perSecond' | 'perMinute' | 'alarmOperators'
> &
  Partial<Pick<SenderOptions, 'entitlement'>>;

interface ChannelOptions extends Pick<SenderOptions, 'entitlement'> {
  readonly outages: UserOutcomes;
  readonly kinds: FactKinds;
  readonly recipients: RecipientsRepository;
  readonly chatChecks: ChatChecks;
  readonly pauses: PausesService;
  readonly messages: MessagesWriter;
}

/** Notes whether people's messages could be sent. A chat's own refusal and Telegram's rate limit are no outages. */
const noteMessages = ({ send }: Messenger, outages: UserOutcomes): Pick<Messenger, 'send'> => ({
  async send(message) {
    const fail = (error: unknown) =>
      outages.note('messages', { person: message.chatId, cause: toOutage(error).code });
    try {
      const result = await send(message);
      if (result.status === 'sent') outages.note('messages', null);
      if (result.status === 'no_response') fail(result.cause);
      return result;
    } catch (error) {
      fail(error);
      throw error;
    }
  },
});

/** The events that a channel sends. */
const isForChannel = (channel: Channel, event: OutgoingEvent, kinds: ChannelOptions['kinds']) =>
  channel === 'chat' ? isCallEventKind(event.kind) : kinds.get(event.kind)?.isFor(channel, event) === true;

/** The senders of all channels. Each gets the events that are for its channel. */
export function createOutbox({ SENDER }: Base['env'], kinds: FactKinds): Outbox {
  // A new stub each time, because a stub can't be reused in another request.
  const withEach = <Result>(run: (sender: Outbox, channel: Channel) => Promise<Result>) =>
    Promise.all(CHANNELS.map((channel) => run(SENDER.getByName(channel), channel)));
  return {
    async add(events) {
      await withEach(async (sender, channel) => {
        const chosen = events.filter((event) => isForChannel(channel, event, kinds));
        if (chosen.length > 0) await sender.add(chosen);
      });
    },
    resend: async (ids) => void (await withEach((sender) => sender.resend(ids))),
    async wake() {
      const [purged = 0] = await withEach((sender) => sender.wake());
      return purged;
    },
  };
}

export function createChannels(base: Base, options: ChannelOptions) {
  const { entitlement, chatChecks, pauses } = options;
  const { vars, db, clock, messenger, alarm, metrics } = base;
  const { forget } = createPushRepository(db);
  const vapid = createVapid({ key: vars.VAPID_KEY, subject: vars.APP_ORIGIN, clock });
  const defaultUrl = `${vars.APP_ORIGIN}/dashboard`;
  const push = createWebPush({ vapid, services: vars.PUSH_SERVICES, defaultUrl, forget, clock });
  const cipher = createTokenCipher(vars.X_TOKENS_KEY);
  const trustedOrigins = vars.WEBHOOK_LOCAL_ORIGINS;
  const client = createWebhookClient({ cipher, trustedOrigins, ownOrigin: vars.APP_ORIGIN, clock });
  const common = { alarmOperators: alarm, perMinute: MAX_MESSAGES_PER_FOLLOWER };
  const channels: Readonly<Record<Channel, ChannelParts>> = {
    telegram: {
      ...common,
      events: createPeopleEvents({ ...options, channel: 'telegram' }),
      repository: createDeliveriesRepository(base),
      messenger: noteMessages(messenger, options.outages),
      perSecond: MESSAGES_PER_SECOND,
    },
    chat: {
      ...createChatChannel({ ...base, checks: chatChecks }),
      alarmOperators: alarm,
    },
    push: {
      ...common,
      events: createPeopleEvents({ ...options, channel: 'push' }),
      repository: createPushDeliveriesRepository(db),
      messenger: push,
      perSecond: PUSHES_PER_SECOND,
    },
    webhook: {
      ...common,
      events: createPeopleEvents({ ...options, channel: 'webhook' }),
      // Failures concern only the receiver.
      alarmOperators: async () => undefined,
      repository: createWebhookDeliveriesRepository(db),
      messenger: client,
      perSecond: WEBHOOKS_PER_SECOND,
    },
  };
  return {
    push: createPushService({ ...base, vapid, messenger: push }),
    webhooks: createWebhooksService({ ...base, client, cipher, messages: options.messages }),
    openSender(channel: Channel, { sql, setAlarm }: SenderStorage) {
      const its = channels[channel];
      return createSender({
        entitlement,
        ...its,
        channel,
        store: createOutboxStore({ storage: sql, clock, traitsOf: its.events.traitsOf }),
        alarmOperators: ({ kind, details }) => its.alarmOperators({ kind, details: { ...details, channel } }),
        setAlarm,
        isPostingPaused: () => pauses.isPaused('posting'),
        metrics,
        clock,
      });
    },
  };
}
