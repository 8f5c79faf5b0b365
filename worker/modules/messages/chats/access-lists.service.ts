import type { ChatOther, JoinLink } from '#schema/contracts/telegram-access.ts';
import { cutPage, type Page } from '../../../app/pages.ts';
import { readOptionalCursor } from '../../../shared/keyset.ts';
import type { AccessRepository } from './access.repository.ts';

export interface AccessListsOptions {
  readonly repository: Pick<AccessRepository, 'listJoinLinks' | 'listOthers'>;
  readonly entitlement: {
    canSeeActiveCalls(viewing: { viewerId: string; callerId: string }): Promise<boolean>;
  };
}

export interface OthersRequest {
  readonly chatId: string;
  readonly callerId: string;
  readonly cursor: string | undefined;
  readonly limit: number;
}

/** Lists callers' chats for people with access, and people without access for callers. */
export const createAccessListsService = ({ repository, entitlement }: AccessListsOptions) => ({
  /** The links to a caller's chats. Empty for people without access. @throws callers.not_found */
  async listJoinLinks({ userId, callerId }: { userId: string; callerId: string }): Promise<JoinLink[]> {
    if (!(await entitlement.canSeeActiveCalls({ viewerId: userId, callerId }))) return [];
    const links = await repository.listJoinLinks(callerId);
    return links.flatMap(({ url, ...chat }) => (url === null ? [] : [{ ...chat, url }]));
  },

  /** People in the caller's chat who came without us and have no access. @throws request.invalid */
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
});
