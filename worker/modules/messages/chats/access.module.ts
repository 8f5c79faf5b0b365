import type { Base } from '../../../app/base.ts';
import { createAccessListsService, type AccessListsOptions } from './access-lists.service.ts';
import { createAccessRepository } from './access.repository.ts';
import { createAccessService, type AccessOptions } from './access.service.ts';
import { createJoinMessages } from './join-messages.ts';
import { createMemberUpdates } from './member-updates.ts';

type ChatAccessOptions = Pick<AccessOptions, 'checks' | 'outbox'> & Pick<AccessListsOptions, 'entitlement'>;

export function createChatAccess(base: Base, { checks, entitlement, outbox }: ChatAccessOptions) {
  const { db, vars, ...common } = base;
  const repository = createAccessRepository(db);
  const messages = createJoinMessages({ ...common, appOrigin: vars.APP_ORIGIN });
  const chatAccess = createAccessService({ ...common, repository, messages, checks, outbox });
  return {
    chatAccess,
    accessLists: createAccessListsService({ ...common, repository, entitlement }),
    memberUpdates: createMemberUpdates({ ...common, repository, access: chatAccess }),
  };
}
