import { DELIVERY_LOG_PAGE_SIZE } from '#schema/constants/messages.ts';
import type { DeliveryLogEntry } from '#schema/contracts/notifications.ts';
import { readJson } from '#schema/rules/typed-json.ts';
import { cutPage } from '../../../app/pages.ts';
import { readOptionalCursor } from '../../../shared/keyset.ts';
import type { CallEventsRepository } from './call-events.repository.ts';
import type { CallerGuard } from '../../people/users/caller-guard.ts';

interface EventsOptions {
  readonly repository: CallEventsRepository;
  readonly callers: CallerGuard;
}

export interface DeliveriesQuery {
  readonly callerId: string;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export function createCallEventsService({ repository, callers }: EventsOptions) {
  return {
    async listDeliveries({ callerId, cursor, limit = DELIVERY_LOG_PAGE_SIZE }: DeliveriesQuery) {
      await callers.assertIsCaller(callerId);
      const page = { cursor: readOptionalCursor(cursor), limit: limit + 1 };
      const events = await repository.listOfCaller({ callerId, ...page });
      const { shown, nextCursor } = cutPage(events, limit, ({ at, id }) => ({ value: at, id }));
      const rows = shown.map((row): DeliveryLogEntry => ({
        ...row,
        chats: readJson(row.chats),
        at: new Date(row.at).toISOString(),
      }));
      return { rows, nextCursor };
    },
  };
}
