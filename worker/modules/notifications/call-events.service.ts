import {
  DELIVERY_LOG_PAGE_SIZE,
  NOTIFICATION_LIFETIME_MS,
  OUTBOX_BATCH_SIZE,
  SECOND_MS,
} from '#schema/constants.ts';
import type { CallEventKind, DeliveryLogEntry } from '#schema/contracts/notifications.ts';
import { cutPage, type Page } from '../../app/pages.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CallEvent, Outbox } from '../../ports/outbox.ts';
import { nameOf } from '../../shared/caller-summary.ts';
import { withTimeout } from '../../shared/with-timeout.ts';
import { readOptionalCursor } from '../../shared/keyset.ts';
import { composeCallEndedText } from './call-ended-text.ts';
import type { CallEventRow, CallEventsRepository } from './call-events.repository.ts';
import { composeCallOpenedText } from './call-opened-text.ts';
import { composeUpdateText } from './update-text.ts';

/** How long a request waits for the sender. */
const NOTIFY_TIMEOUT_MS = 2 * SECOND_MS;
const MAX_PAGES = 20;

export interface CallerPort {
  /** @throws users.not_a_caller */
  assertIsCaller(userId: string): Promise<void>;
}

export interface CallEventsOptions {
  readonly repository: CallEventsRepository;
  readonly callers: CallerPort;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly clock: Clock;
  readonly appOrigin: string;
}

export interface LogQuestion {
  readonly callerId: string;
  readonly cursor: string | undefined;
  readonly limit: number | undefined;
}

export interface FollowersQuestion {
  readonly eventId: string;
  readonly after: string;
  readonly until: string;
  readonly limit: number;
}

export function createCallEventsService({
  repository,
  callers,
  outbox,
  clock,
  appOrigin,
}: CallEventsOptions) {
  /** Marks the events after the sender has stored them: a crash in between adds them again, which it ignores. */
  const handOver = async (fresh: readonly string[], all = fresh): Promise<void> => {
    if (fresh.length > 0) await outbox.add(fresh.map((id) => ({ kind: 'call_event', id })));
    await repository.markTaken({ ids: all, now: clock.now() });
  };

  return {
    listDeliveries: createDeliveryLog({ repository, callers }),

    /** Hands new events to the sender; marks those past their lifetime without sending them. Safe to run twice at once. */
    async notifyAll(): Promise<{ added: number; tooOld: number }> {
      const sum = { added: 0, tooOld: 0 };
      const freshFrom = clock.now() - NOTIFICATION_LIFETIME_MS;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const events = await repository.listNew(OUTBOX_BATCH_SIZE);
        if (events.length === 0) break;
        const fresh = events.filter(({ at }) => at > freshFrom).map(({ id }) => id);
        await handOver(
          fresh,
          events.map(({ id }) => id),
        );
        sum.added += fresh.length;
        sum.tooOld += events.length - fresh.length;
        if (events.length < OUTBOX_BATCH_SIZE) break;
      }
      return sum;
    },

    /** Hands one new event to the sender; `id` is the call's or the update's. Never throws: `notifyAll` repeats it within a minute. */
    async notifySoon({ kind, id }: { kind: CallEventKind; id: string }): Promise<void> {
      const eventId = `${kind}:${id}`;
      try {
        await withTimeout(handOver([eventId]), NOTIFY_TIMEOUT_MS);
      } catch (error) {
        console.warn(JSON.stringify({ event: 'call_event.delayed', eventId, error: String(error) }));
      }
    },

    /** How many connected followers are entitled to a caller's call and want this kind of message. */
    countRecipients: (audience: { callerId: string; kind: CallEventKind }) =>
      repository.countEntitledFollowers({ ...audience, now: clock.now() }),

    /** The event's text now. Null for an unknown event, and for an opening whose call has ended: too late to follow. */
    async compose({ id }: CallEvent) {
      const row = await repository.find(id);
      const text = row && composeText(row, `${appOrigin}/call/${row.call_id}`);
      return row && text !== null ? { text, switchKind: row.kind, callerId: row.caller_id } : null;
    },

    /** Connected followers who want this event; entitlement is not checked here. */
    async listFollowers({ eventId, ...page }: FollowersQuestion) {
      const audience = await repository.findAudience(eventId);
      if (!audience) return { callerId: '', userIds: [] };
      return {
        callerId: audience.callerId,
        userIds: await repository.listFollowers({ ...audience, ...page }),
      };
    },
  };
}

/** Lists a caller's events with their counts, newest first. @throws users.not_a_caller */
function createDeliveryLog({ repository, callers }: Pick<CallEventsOptions, 'repository' | 'callers'>) {
  return async ({
    callerId,
    cursor,
    limit = DELIVERY_LOG_PAGE_SIZE,
  }: LogQuestion): Promise<Page<DeliveryLogEntry>> => {
    await callers.assertIsCaller(callerId);
    const rows = await repository.listOfCaller({
      callerId,
      cursor: readOptionalCursor(cursor),
      limit: limit + 1,
    });
    const { shown, nextCursor } = cutPage(rows, limit, ({ at, id }) => ({ value: at, id }));
    const entries = shown.map(({ call_id, token_symbol, at, ...row }) => ({
      ...row,
      callId: call_id,
      tokenSymbol: token_symbol,
      at: new Date(at).toISOString(),
    }));
    return { rows: entries, nextCursor };
  };
}

function composeText(row: CallEventRow, callUrl: string): string | null {
  const head = {
    callerName: nameOf(row),
    callerHandle: row.twitter_handle,
    tokenSymbol: row.token_symbol,
    tokenName: row.token_name,
    tokenMint: row.token_mint,
    callUrl,
  };
  switch (row.kind) {
    case 'call_opened':
      if (row.ended_at !== null) return null;
      return composeCallOpenedText({
        ...head,
        entryPrice: row.entry_price,
        thesis: row.thesis,
        targetPrice: row.target_price,
        stopPrice: row.stop_price,
        isPaidPromotion: row.is_paid_promotion === 1,
      });
    case 'call_ended':
      if (row.ended_at === null || row.end_price === null || row.change_percent === null) return null;
      return composeCallEndedText({
        ...head,
        entryPrice: row.entry_price,
        endPrice: row.end_price,
        changePercent: row.change_percent,
        heldMs: row.ended_at - row.called_at,
      });
    case 'call_update':
      return row.update_message === null ? null : composeUpdateText({ ...head, message: row.update_message });
  }
}
