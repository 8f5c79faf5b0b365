import { MESSAGES_PER_SECOND, PUSHES_PER_SECOND } from '#schema/constants.ts';
import { createVapid } from '../../adapters/vapid.ts';
import { createWebPush, isPushKey, toAddress } from '../../adapters/web-push.ts';
import type { Base } from '../../app/base.ts';
import type { Channel } from '../../ports/outbox.ts';
import { createDeliveriesRepository } from './delivery/deliveries.repository.ts';
import { createOutboxStore } from './delivery/outbox.ts';
import { createPushDeliveriesRepository } from './delivery/push-deliveries.repository.ts';
import { createSender } from './delivery/sender.ts';
import type { SenderOptions } from './delivery/sender-options.ts';
import type { CallEventsService } from './notifications/call-events.service.ts';
import { createPushRepository } from './push/push.repository.ts';
import { createPushService } from './push/push.service.ts';

export interface SenderStorage extends Pick<SenderOptions, 'setAlarm'> {
  readonly sql: SqlStorage;
}

interface ChannelOptions extends Pick<SenderOptions, 'entitlement'> {
  readonly compose: SenderOptions['events']['compose'];
  readonly listFollowers: CallEventsService['listFollowers'];
}

/** The senders of both channels, and the browsers that get notifications. */
export function createChannels(base: Base, { compose, listFollowers, entitlement }: ChannelOptions) {
  const { vars, db, clock, messenger, alarm, metrics, pauses } = base;
  const repository = createPushRepository(db);
  const services = vars.PUSH_SERVICES;
  const vapid = createVapid({ key: vars.VAPID_KEY, subject: vars.APP_ORIGIN, clock });
  const defaultUrl = `${vars.APP_ORIGIN}/dashboard`;
  const channels = {
    telegram: { repository: createDeliveriesRepository(db), messenger, perSecond: MESSAGES_PER_SECOND },
    push: {
      repository: createPushDeliveriesRepository(db, toAddress),
      messenger: createWebPush({ vapid, services, defaultUrl, forget: repository.forget, clock }),
      perSecond: PUSHES_PER_SECOND,
    },
  };
  return {
    push: createPushService({ repository, vapid, services, isKey: isPushKey, clock }),
    openSender: (channel: Channel, { sql, setAlarm }: SenderStorage) =>
      createSender({
        ...channels[channel],
        channel,
        store: createOutboxStore(sql, clock),
        events: { compose, listFollowers: (query) => listFollowers({ ...query, channel }) },
        entitlement,
        alarmOperators: ({ kind, details }) => alarm({ kind, details: { ...details, channel } }),
        setAlarm,
        isPostingPaused: () => pauses.isPaused('posting'),
        metrics,
        clock,
      }),
  };
}
