import type { Base } from '../../../app/base.ts';
import type { ChatHandlers } from '../../../ports/messenger.ts';
import { createAccessListsService, type AccessListsOptions } from './access-lists.service.ts';
import { createAccessRepository } from './access.repository.ts';
import { createAccessService, type AccessOptions } from './access.service.ts';
import { createJoinMessages } from './join-messages.ts';

type ChatAccessOptions = Pick<AccessOptions, 'checks' | 'outbox'> & Pick<AccessListsOptions, 'entitlement'>;

export function createChatAccess(base: Base, { checks, entitlement, outbox }: ChatAccessOptions) {
  const { db, vars, ...common } = base;
  const repository = createAccessRepository(db);
  const messages = createJoinMessages({ ...common, appOrigin: vars.APP_ORIGIN });
  const chatAccess = createAccessService({ ...common, repository, messages, checks, outbox });
  const handlers: Pick<ChatHandlers, 'member' | 'join_request'> = {
    member: chatAccess.noteMember,
    join_request: chatAccess.request,
  };
  return {
    chatAccess,
    accessLists: createAccessListsService({ ...common, repository, entitlement }),
    handlers,
  };
}
