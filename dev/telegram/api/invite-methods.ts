import { badRequest } from '../bot-error.ts';
import { isTrue, readInteger, readText, type ChatAccess, type Parameters } from './chat-access.ts';
import { countRequests } from '../chat-events.ts';
import type { Descriptions } from '../describe.ts';
import { findLink, type Invitations } from '../invitations.ts';
import type { InviteLink } from '../telegram-state.ts';
import type { TelegramStore } from '../telegram-store.ts';

interface InviteMethodOptions {
  store: TelegramStore;
  describe: Descriptions;
  access: ChatAccess;
  invitations: Invitations;
}

const NO_LINKS = "can't invite members to a private chat";
const NO_REQUESTS = "the chat can't have join requests";

/** The methods about invite links and requests to join. */
export function createInviteMethods({ store, describe, access, invitations }: InviteMethodOptions) {
  const { bot } = store;

  function findGroup(parameters: Parameters, what: 'link' | 'requests') {
    const elsewhere = what === 'link' ? NO_LINKS : NO_REQUESTS;
    const group = access.findGroup(parameters, { access: 'write', elsewhere });
    const managed = what === 'link' ? 'chat invite link' : 'chat join requests';
    access.requireRight(group, {
      right: 'can_invite_users',
      otherwise: `not enough rights to manage ${managed}`,
    });
    return group;
  }

  function readOptions(
    parameters: Parameters,
  ): Omit<InviteLink, 'url' | 'creatorId' | 'isRevoked' | 'joined'> {
    const options = {
      name: readText(parameters['name']).slice(0, 32),
      createsJoinRequest: isTrue(parameters['creates_join_request']),
      memberLimit: Math.min(Math.max(0, readInteger(parameters['member_limit'])), 99_999),
      expireDate: Math.max(0, readInteger(parameters['expire_date'])),
    };
    if (options.createsJoinRequest && options.memberLimit > 0) {
      throw badRequest("member limit can't be specified for links requiring administrator approval");
    }
    if (options.expireDate !== 0 && options.expireDate <= store.seconds()) {
      throw badRequest('EXPIRE_DATE_INVALID');
    }
    return options;
  }

  function findOwnLink(parameters: Parameters) {
    const group = findGroup(parameters, 'link');
    const url = readText(parameters['invite_link']);
    if (url === '') throw badRequest('invite link must be non-empty');
    const link = findLink(group, url);
    if (link === undefined) throw badRequest('INVITE_HASH_EXPIRED');
    // An administrator changes the links of others only with the owner's rights.
    if (link.creatorId !== bot.id) throw badRequest('CHAT_ADMIN_REQUIRED');
    return { group, link };
  }

  function decide(parameters: Parameters, isApproved: boolean): true {
    const group = findGroup(parameters, 'requests');
    const userId = access.findMember(parameters).id;
    const problem = invitations.decide(group, { userId, actorId: bot.id, isApproved });
    if (problem !== undefined) throw badRequest(problem);
    return true;
  }

  return {
    createchatinvitelink: (parameters: Parameters, origin: string) => {
      const group = findGroup(parameters, 'link');
      const link = invitations.createLink(group, { origin, creatorId: bot.id, ...readOptions(parameters) });
      return describe.link(link);
    },
    editchatinvitelink: (parameters: Parameters) => {
      const { group, link } = findOwnLink(parameters);
      if (link.isRevoked) throw badRequest('INVITE_HASH_EXPIRED');
      Object.assign(link, readOptions(parameters));
      store.saveSoon();
      return describe.link(link, countRequests(group, link));
    },
    revokechatinvitelink: (parameters: Parameters) => {
      const { group, link } = findOwnLink(parameters);
      link.isRevoked = true;
      store.saveSoon();
      return describe.link(link, countRequests(group, link));
    },
    approvechatjoinrequest: (parameters: Parameters) => decide(parameters, true),
    declinechatjoinrequest: (parameters: Parameters) => decide(parameters, false),
  };
}
