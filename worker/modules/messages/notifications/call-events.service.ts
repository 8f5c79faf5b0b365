import { DELIVERY_LOG_PAGE_SIZE, NOTIFICATION_LIFETIME_MS } from '#schema/constants/messages.ts';
import type { CallEventKind, DeliveryLogEntry } from '#schema/contracts/notifications.ts';
import { cutPage } from '../../../app/pages.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { CallEvent, FollowerChannel, NoticeEvent } from '../../../ports/outbox.ts';
import { callButtons } from './call-buttons.ts';
import { readOptionalCursor } from '../../../shared/keyset.ts';
import { composeCallEventText } from './call-event-text.ts';
import type { CallEventsRepository, FollowersRange } from './call-events.repository.ts';
import type { CallerGuard } from '../../people/users/caller-guard.ts';

interface EventsOptions {
  readonly repository: CallEventsRepository;
  readonly callers: Pick<CallerGuard, 'assertIsCaller'>;
  readonly clock: Clock;
  readonly appOrigin: string;
}

export interface DeliveriesQuery {
  readonly callerId: string;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export type CallEventsService = ReturnType<typeof createCallEventsService>;

export function createCallEventsService(options: EventsOptions) {
  const { repository, callers, clock, appOrigin } = options;
  const composeMessageOf = async (id: string) => {
    const row = await repository.find(id);
    if (row === null) return null;
    const callUrl = `${appOrigin}/call/${row.callId}`;
    const text = composeCallEventText(row, callUrl);
    const buttons = callButtons({ mint: row.kind === 'call_opened' ? row.tokenMint : null, url: callUrl });
    return text === null ? null : { row, text, buttons, switchKind: row.kind };
  };

  return {
    async listDeliveries({ callerId, cursor, limit = DELIVERY_LOG_PAGE_SIZE }: DeliveriesQuery) {
      await callers.assertIsCaller(callerId);
      const page = { cursor: readOptionalCursor(cursor), limit: limit + 1 };
      const events = await repository.listOfCaller({ callerId, ...page });
      const { shown, nextCursor } = cutPage(events, limit, ({ at, id }) => ({ value: at, id }));
      const rows = shown.map((row): DeliveryLogEntry => ({ ...row, at: new Date(row.at).toISOString() }));
      return { rows, nextCursor };
    },

    countRecipients: (audience: { callerId: string; kind: CallEventKind }) =>
      repository.countEntitledFollowers({ ...audience, channel: 'telegram', now: clock.now() }),

    /**
     * Composes the event's current text and buttons. Null for an unknown event, and for an event that is outdated
     * because the call has ended.
     */
    async compose({ id }: CallEvent) {
      const message = await composeMessageOf(id);
      return message && { ...message, callerId: message.row.callerId };
    },

    /** Composes the same message for the caller, who needs no entitlement to their own call. */
    async composeForCaller({ userId, subject }: NoticeEvent) {
      const message = await composeMessageOf(subject);
      const isOld = (at: number) => at <= clock.now() - NOTIFICATION_LIFETIME_MS;
      if (message?.row.callerId !== userId || isOld(message.row.at)) return null;
      return { ...message, callerId: null };
    },

    /**
     * Lists connected followers who haven't muted the caller or switched off this kind of message. Whether they
     * have access must be checked separately.
     */
    async listFollowers({
      eventId,
      ...range
    }: FollowersRange & { eventId: string; channel: FollowerChannel }) {
      const audience = await repository.findAudience(eventId);
      if (!audience) return { callerId: '', userIds: [] };
      const userIds = await repository.listFollowers({ ...audience, ...range });
      return { callerId: audience.callerId, userIds };
    },
  };
}
