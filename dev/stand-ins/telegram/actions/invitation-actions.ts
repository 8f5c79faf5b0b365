import type { ActionNamed } from './action-schema.ts';
import { UserError } from '../bot-error.ts';
import { findLink, type Invitations } from '../invitations.ts';
import type { Scene, SceneRules } from './scene.ts';
import type { User } from '../telegram-state.ts';

interface InvitationActionOptions {
  invitations: Invitations;
  rules: SceneRules;
  idOf(reference: string): number;
}

/** Actions with invite links and requests to join. */
export function createInvitationActions({ invitations, rules, idOf }: InvitationActionOptions) {
  function join({ chatId, link: url }: ActionNamed<'join'>, user: User): object {
    if (url !== undefined) {
      const { group, link } = invitations.findByLink(url);
      return { chatId: group.id, status: invitations.join(group, { userId: user.id, link }) };
    }
    const group = rules.findGroup(chatId ?? 0);
    if (group.username === null) throw new UserError('This chat is private. You need an invite link.');
    return { chatId: group.id, status: invitations.join(group, { userId: user.id }) };
  }

  function decide(scene: Scene, { user, isApproved }: { user: string; isApproved: boolean }): object {
    rules.requireRight(scene, 'can_invite_users');
    const options = { userId: idOf(user), actorId: scene.user.id, isApproved };
    const problem = invitations.decide(scene.group, options);
    if (problem !== undefined) throw new UserError(problem);
    return {};
  }

  function create(action: ActionNamed<'create-link'>, scene: Scene, origin: string): object {
    rules.requireRight(scene, 'can_invite_users');
    const { name, createsJoinRequest } = action;
    return invitations.createLink(scene.group, {
      origin,
      creatorId: scene.user.id,
      name,
      createsJoinRequest,
    });
  }

  function revoke({ link: url }: ActionNamed<'revoke-link'>, scene: Scene): object {
    rules.requireRight(scene, 'can_invite_users');
    const link = findLink(scene.group, url);
    if (link === undefined) throw new UserError('There is no such link.');
    link.isRevoked = true;
    return {};
  }

  return { join, decide, create, revoke };
}
