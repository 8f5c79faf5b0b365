import { html } from 'hono/html';
import type { Markup } from '../../controls/page-shell.ts';
import { rightsOf } from '../describe.ts';
import { actionForm, type Viewer } from './page-forms.ts';
import { nameOf } from './page-message.ts';
import type { Group, Member, Topic } from '../telegram-state.ts';
import { GENERAL_TOPIC_ID, hasRight, isAdministrator, isInside } from '../telegram-store.ts';

type GroupViewer = Viewer & { group: Group };

/** Members, links and settings, as far as the viewer may change them. */
export function chatMenu(viewer: GroupViewer): Markup {
  const { group, user, store } = viewer;
  const me = store.memberOf(group, user.id);
  const isVisible = group.type !== 'channel' || isAdministrator(me);
  return html`<details>
    <summary>Members and settings</summary>
    ${isVisible ? memberList(viewer, me) : ''} ${hasRight(me, 'can_promote_members') ? botForm(viewer) : ''}
    ${hasRight(me, 'can_invite_users') ? html`${requestList(viewer)}${linkList(viewer)}` : ''}
    ${me.status === 'creator' ? ownerForms(viewer) : actionForm(viewer, 'leave', html`<button>Leave</button>`)}
  </details>`;
}

function memberList(viewer: GroupViewer, me: Member): Markup {
  const inside = Object.entries(viewer.group.members).filter(([, member]) => isInside(member));
  const shown = inside.slice(0, 50);
  const row = ([id, { status }]: [string, Member]) =>
    html`<li>
      <span>${nameOf(viewer, Number(id))} <span class="muted">${status}</span></span>
      ${
        hasRight(me, 'can_restrict_members') && status !== 'creator' && Number(id) !== viewer.user.id
          ? actionForm(viewer, 'remove', html`<button>Remove ${nameOf(viewer, Number(id))}</button>`, {
              user: id,
            })
          : ''
      }
    </li>`;
  return html`<h2>${inside.length} members</h2>
    <ul class="plain">
      ${shown.map(row)}
    </ul>`;
}

/** Adds the bot as an administrator, or changes its rights. */
function botForm(viewer: GroupViewer): Markup {
  const { group, store } = viewer;
  const bot = store.memberOf(group, store.bot.id);
  const wanted = ['can_invite_users', 'can_restrict_members', 'can_post_messages'];
  const checked = isAdministrator(bot) ? bot.rights : wanted;
  const user = String(store.bot.id);
  const box = (right: string) =>
    html`<label
      ><input
        type="checkbox"
        name="rights"
        value="${right}"
        ${checked.includes(right) ? 'checked' : ''}
      />${right.replaceAll('_', ' ')}</label
    >`;
  const rights = rightsOf[group.type].filter(
    (right) => right !== 'can_manage_chat' && right !== 'is_anonymous',
  );
  return html`${actionForm(
    viewer,
    'promote',
    html`<fieldset>
      <legend>${store.bot.first_name}: rights</legend>
      ${rights.map(box)}
      <button>${isAdministrator(bot) ? 'Save rights' : 'Make the bot an administrator'}</button>
    </fieldset>`,
    { user },
  )}
  ${isInside(bot) || group.type === 'channel' ? '' : actionForm(viewer, 'add', html`<button>Add the bot</button>`, { user })}
  ${bot.status === 'administrator' ? actionForm(viewer, 'demote', html`<button>Dismiss the bot as administrator</button>`, { user }) : ''}`;
}

function requestList(viewer: GroupViewer): Markup | '' {
  const { requests } = viewer.group;
  if (requests.length === 0) return '';
  const row = (userId: number) =>
    html`<li>
      <span>${nameOf(viewer, userId)}</span>
      ${actionForm(viewer, 'approve', html`<button>Approve</button>`, { user: userId })}
      ${actionForm(viewer, 'decline', html`<button>Decline</button>`, { user: userId })}
    </li>`;
  return html`<h2>Requests to join</h2>
    <ul class="plain">
      ${requests.map(({ userId }) => row(userId))}
    </ul>`;
}

function linkList(viewer: GroupViewer): Markup {
  const links = viewer.group.links.filter(({ isRevoked }) => !isRevoked);
  const row = ({ url, createsJoinRequest }: Group['links'][number]) =>
    html`<li>
      <a href="${url}">${url}</a>
      <span class="muted">${createsJoinRequest ? 'asks for approval' : 'without approval'}</span>
      ${actionForm(viewer, 'revoke-link', html`<button>Revoke</button>`, { link: url })}
    </li>`;
  return html`<h2>Invite links</h2>
    <ul class="plain">
      ${links.map(row)}
    </ul>
    ${actionForm(viewer, 'create-link', html`<button>Create a link</button>`)}
    ${actionForm(viewer, 'create-link', html`<button>Create a link with approval</button>`, { createsJoinRequest: 'true' })}`;
}

function ownerForms(viewer: GroupViewer): Markup {
  const { group, store } = viewer;
  const isAnonymous = store.memberOf(group, viewer.user.id).rights.includes('is_anonymous');
  const anonymity = isAnonymous ? 'Act under your own name' : 'Act anonymously';
  const field = (name: string, { label, value }: { label: string; value: string }) =>
    actionForm(
      viewer,
      'change-chat',
      html`<input name="${name}" aria-label="${label}" placeholder="${label}" value="${value}" /><button>
          Save
        </button>`,
    );
  const linked = String(group.linkedChatId ?? '');
  const topics = group.type === 'supergroup' ? topicForms(viewer) : '';
  return html`<h2>Settings</h2>
    ${field('title', { label: 'Name', value: group.title })}
    ${group.type === 'group' ? actionForm(viewer, 'migrate', html`<button>Upgrade to a supergroup</button>`) : field('username', { label: 'Public username', value: group.username ?? '' })}
    ${group.type === 'channel' ? field('linkedChatId', { label: 'Id of the discussion group', value: linked }) : ''}
    ${topics}
    ${actionForm(viewer, 'change-chat', html`<button>${anonymity}</button>`, { isAnonymous: String(!isAnonymous) })}
    ${actionForm(viewer, 'delete-chat', html`<button>Delete this chat</button>`)}
    <p class="muted">Id of this chat: ${group.id}</p>`;
}

function topicForms(viewer: GroupViewer): Markup {
  const { topics } = viewer.group;
  if (topics.length === 0) {
    return actionForm(viewer, 'change-chat', html`<button>Use topics</button>`, { isForum: 'true' });
  }
  const row = ({ id: topicId, name, isClosed }: Topic) =>
    html`<li>
      <span>${name}</span>
      ${actionForm(viewer, isClosed ? 'reopen-topic' : 'close-topic', html`<button>${isClosed ? 'Reopen' : 'Close'}</button>`, { topicId })}
      ${topicId === GENERAL_TOPIC_ID ? '' : actionForm(viewer, 'delete-topic', html`<button>Delete</button>`, { topicId })}
    </li>`;
  return html`<h2>Topics</h2>
    <ul class="plain">
      ${topics.map(row)}
    </ul>
    ${actionForm(
      viewer,
      'create-topic',
      html`<input name="name" aria-label="Name of a new topic" placeholder="Name of a new topic" /><button>
          Create a topic
        </button>`,
    )}
    ${actionForm(viewer, 'change-chat', html`<button>Use no topics</button>`, { isForum: 'false' })}`;
}
