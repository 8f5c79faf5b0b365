import {
  DELIVERY_LOG_PAGE_SIZE,
  NOTIFICATION_LIFETIME_MS,
  QUEUE_BATCH_SIZE,
  SECOND_MS,
} from '#schema/constants.ts';
import type { CallEventKind, DeliveryLogEntry } from '#schema/contracts/notifications.ts';
import { nameOf } from '../../shared/caller-summary.ts';
import { withTimeout } from '../../shared/with-timeout.ts';
import { readOptionalCursor } from '../../shared/keyset.ts';
import { cutPage, type Page } from '../../app/pages.ts';
import type { Clock } from '../../ports/clock.ts';
import { composeCallEndedText } from './call-ended-text.ts';
import type { CallEventRow, CallEventsRepository } from './call-events.repository.ts';
import { composeCallOpenedText } from './call-opened-text.ts';
import { firstChunk } from './fan-out.service.ts';
import type { FanOutQueue } from './notification-message.ts';
import { composeUpdateText } from './update-text.ts';

/** How long a request waits for a queue that neither takes nor refuses. */
const SOON_MS = 2 * SECOND_MS;
/** Each page is a read, a batch for the queue and a write. */
const MAX_PAGES = 20;

/** Refuses who is no caller. */
export interface CallerPort {
  /** @throws users.not_a_caller */
  assertIsCaller(userId: string): Promise<void>;
}

/** What is told of a call, and by whom. */
export interface CallNews {
  readonly callerId: string;
  readonly kind: CallEventKind;
  readonly text: string;
}

export interface CallEventsOptions {
  readonly repository: CallEventsRepository;
  readonly callers: CallerPort;
  readonly queue: FanOutQueue;
  readonly clock: Clock;
  readonly random: () => number;
  readonly appOrigin: string;
}

export function createCallEventsService({
  repository,
  callers,
  queue,
  clock,
  random,
  appOrigin,
}: CallEventsOptions) {
  /** Queue first, mark second: what dies in between is queued again, and nobody is told twice all the same. */
  const tell = async ({
    fresh,
    all,
  }: {
    fresh: readonly string[];
    all: readonly string[];
  }): Promise<void> => {
    if (fresh.length > 0) {
      await queue.sendBatch(fresh.map((eventId) => ({ body: firstChunk({ eventId, random }) })));
    }
    await repository.markQueued({ ids: all, now: clock.now() });
  };

  return {
    /** Begins telling of every event of which nobody was told yet; one that is too old is no news. May run at any time and twice at once. */
    async announce(): Promise<{ queued: number; tooOld: number }> {
      const sum = { queued: 0, tooOld: 0 };
      const freshFrom = clock.now() - NOTIFICATION_LIFETIME_MS;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const events = await repository.listUntold(QUEUE_BATCH_SIZE);
        if (events.length === 0) break;
        const fresh = events.filter(({ at }) => at > freshFrom).map(({ id }) => id);
        await tell({ fresh, all: events.map(({ id }) => id) });
        sum.queued += fresh.length;
        sum.tooOld += events.length - fresh.length;
        if (events.length < QUEUE_BATCH_SIZE) break;
      }
      return sum;
    },

    /** Begins telling of what has happened just now: `id` is the call's, or the update's. Never throws: what fails here, `announce` does within a minute. */
    async announceSoon({ kind, id }: { kind: CallEventKind; id: string }): Promise<void> {
      const eventId = `${kind}:${id}`;
      try {
        await withTimeout(tell({ fresh: [eventId], all: [eventId] }), SOON_MS);
      } catch (error) {
        console.warn(JSON.stringify({ event: 'call_event.delayed', eventId, error: String(error) }));
      }
    },

    /** How many connected followers may know of a caller's call and want to be told in this way. */
    countRecipients: (audience: { callerId: string; kind: CallEventKind }) =>
      repository.countEntitledFollowers({ ...audience, now: clock.now() }),

    /** What is told of an event now; `null` where there is none, and of an opening whose call has ended: to follow it would be too late. */
    async findNews(eventId: string): Promise<CallNews | null> {
      const row = await repository.find(eventId);
      if (!row) return null;
      const text = composeText(row, `${appOrigin}/call/${row.call_id}`);
      return text === null ? null : { callerId: row.caller_id, kind: row.kind, text };
    },

    /** How telling of a caller's events went, newest first. @throws users.not_a_caller */
    async listDeliveries({
      callerId,
      cursor,
      limit = DELIVERY_LOG_PAGE_SIZE,
    }: {
      callerId: string;
      cursor: string | undefined;
      limit: number | undefined;
    }): Promise<Page<DeliveryLogEntry>> {
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
    },
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
