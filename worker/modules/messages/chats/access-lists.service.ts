import type { ChatOther, JoinLink } from '#schema/contracts/telegram-access.ts';
import { cutPage, type Page } from '../../../app/pages.ts';
import type { Clock } from '../../../ports/clock.ts';
import { readOptionalCursor } from '../../../shared/keyset.ts';
import type { AccessRepository } from './access.repository.ts';

const MAX_START_LINKS = 3;

export interface AccessListsOptions {
  readonly repository: Pick<AccessRepository, 'listCallersWithLinks' | 'listJoinLinks' | 'listOthers'>;
  readonly clock: Clock;
  readonly entitlement: {
    canSeeActiveCalls(viewing: { viewerId: string | null; callerId: string }): Promise<boolean>;
  };
}

export interface OthersRequest {
  readonly chatId: string;
  readonly callerId: string;
  readonly cursor: string | undefined;
  readonly limit: number;
}

export function createAccessListsService({ repository, entitlement, clock }: AccessListsOptions) {
  /** The links to a caller's chats. Empty for people without access. @throws callers.not_found */
  const listJoinLinks = async (pair: { userId: string; callerId: string }): Promise<JoinLink[]> => {
    const { userId, callerId } = pair;
    if (!(await entitlement.canSeeActiveCalls({ viewerId: userId, callerId }))) return [];
    const links = await repository.listJoinLinks(callerId);
    return links.flatMap(({ url, ...chat }) => (url === null ? [] : [{ ...chat, url }]));
  };

  return {
    listJoinLinks,

    async listSomeJoinLinks(userId: string): Promise<JoinLink[]> {
      const query = { userId, now: clock.now(), limit: MAX_START_LINKS };
      const callerIds = await repository.listCallersWithLinks(query);
      const chats = callerIds.map((callerId) => listJoinLinks({ userId, callerId }));
      return (await Promise.all(chats)).flat().slice(0, MAX_START_LINKS);
    },

    async listOthers({ cursor, limit, ...chat }: OthersRequest): Promise<Page<ChatOther>> {
      const rows = await repository.listOthers({
        ...chat,
        cursor: readOptionalCursor(cursor),
        limit: limit + 1,
      });
      const { shown, nextCursor } = cutPage(rows, limit, ({ since, personId }) => ({
        value: since,
        id: personId,
      }));
      const others = shown.map(({ personId: id, name, status, since }) => ({
        id,
        name,
        isAdmin: status === 'admin',
        since: new Date(since).toISOString(),
      }));
      return { rows: others, nextCursor };
    },
  };
}
