import type { Base } from '../../../app/base.ts';
import type { ChatHandlers } from '../telegram/chat-replies.ts';
import { createAccessRepository } from './access.repository.ts';
import { createAccessService, type AccessOptions } from './access.service.ts';
import { createInvitationsRepository } from './invitations.repository.ts';
import { createInvitationsService, type InvitationsOptions } from './invitations.service.ts';

type ChatAccessOptions = Pick<AccessOptions, 'checks'> & Pick<InvitationsOptions, 'entitlement'>;

/** Access to callers' chats, and what the bot does when people come, leave or ask to join. */
export function createChatAccess(base: Base, { checks, entitlement }: ChatAccessOptions) {
  const { db, vars, ...common } = base;
  const chatAccess = createAccessService({ ...common, repository: createAccessRepository(db), checks });
  const invitations = createInvitationsService({
    ...common,
    repository: createInvitationsRepository(db),
    access: chatAccess,
    entitlement,
    appOrigin: vars.APP_ORIGIN,
  });
  const handlers: Pick<ChatHandlers, 'member' | 'joinRequest'> = {
    member: chatAccess.noteMember,
    async joinRequest(update) {
      const waiting = await chatAccess.request(update);
      if (waiting !== null) await invitations.invite(waiting);
    },
  };
  return { chatAccess, invitations, handlers };
}
