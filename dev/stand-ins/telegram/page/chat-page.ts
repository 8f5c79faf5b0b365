import { html, raw } from 'hono/html';
import { pageShell, type Markup } from '../../controls/page-shell.ts';
import { actionForm, chatUrl, hiddenFields, type Viewer } from './page-forms.ts';
import { messageItem } from './page-message.ts';
import { chatMenu } from './page-menu.ts';
import { chatScript, chatStyle } from './page-style.ts';
import type { Group, InviteLink, User } from '../telegram-state.ts';
import { isAdministrator, isInside, type TelegramStore } from '../telegram-store.ts';

const notice = 'This is a local stand-in for Telegram. Nothing leaves this machine.';
const page = (title: string, body: Markup) =>
  pageShell({ title: `${title} on Telegram (local stand-in)`, notice, style: chatStyle, body });

interface IdentityPageOptions {
  title: string;
  /** The address to come back to. */
  pathname: string;
  query: Record<string, string>;
}

/** Asks who the visitor is, and comes back with `as`. */
export function identityPage({ title, pathname, query }: IdentityPageOptions): Markup {
  return page(
    title,
    html`<h1>${title}</h1>
      <form>
        <p>Who are you on Telegram? Type any username, such as the one that you saved on SolCallers.</p>
        <label for="handle">Telegram username</label>
        ${hiddenFields(query)}
        <div class="row">
          <input id="handle" name="as" required pattern="@?[A-Za-z0-9_]{3,32}" placeholder="@your_username" />
          <button class="primary">Open</button>
        </div>
      </form>
      <form method="post" action="/telegram/_chat/user">
        <label for="name">Or your name, without a username</label>
        ${hiddenFields({ ...query, pathname })}
        <div class="row">
          <input id="name" name="firstName" required maxlength="64" />
          <button>Continue</button>
        </div>
      </form>`,
  );
}

interface ChatPageOptions extends Viewer {
  /** The payload of a Start link. */
  payload: string;
  problem: string;
}

/** The private chat with the bot, or a group or channel as its members see it. */
export function chatPage(options: ChatPageOptions): Markup {
  const { store, user, group, problem } = options;
  const isMember = group === undefined || store.isInside(group, user.id);
  const messages = isMember || group.username !== null ? store.messagesOf(group?.id ?? user.id) : [];
  const title = group?.title ?? store.bot.first_name;
  const subtitle = group === undefined ? `@${store.bot.username}` : describeChat(group);
  return page(
    title,
    html`<header class="chat-header">
        <span class="avatar" aria-hidden="true">${title.slice(0, 1)}</span>
        <div>
          <h1>${title}</h1>
          <p class="muted">${subtitle}</p>
        </div>
      </header>
      ${chatList(options)}
      ${group === undefined || !isMember || group.isDeleted ? '' : chatMenu({ ...options, group })}
      <div role="log" aria-label="Messages">
        <ol class="messages">
          ${messages.map((message) => messageItem(options, message))}
        </ol>
      </div>
      <p role="status">${problem}</p>
      ${group === undefined ? privateForms(options) : groupForms({ ...options, group })}
      <script type="module">
        ${raw(chatScript)};
      </script>`,
  );
}

function describeChat(group: Group): string {
  const count = Object.values(group.members).filter(isInside).length;
  const people = group.type === 'channel' ? 'subscribers' : 'members';
  const visibility = group.username === null ? `private ${group.type}` : `@${group.username}`;
  return `${visibility}, ${count} ${people}`;
}

function chatList({ store, user, group }: Viewer): Markup {
  const mine = store.chatsOf(user.id);
  const item = (each: Group | undefined) =>
    html`<li>
      <a href="${chatUrl({ user, group: each })}" ${each === group ? raw('aria-current="page"') : ''}
        >${each?.title ?? store.bot.first_name}</a
      >
    </li>`;
  return html`<details>
    <summary>${user.username === null ? user.firstName : `@${user.username}`}: all chats</summary>
    <ul class="plain">
      ${[undefined, ...mine].map(item)}
    </ul>
    <form class="row new" method="post" action="/telegram/_chat/new">
      ${hiddenFields({ as: user.id })}
      <input name="title" required maxlength="128" aria-label="Name of a new chat" placeholder="Name" />
      <button name="type" value="supergroup">New group</button>
      <button name="type" value="channel">New channel</button>
    </form>
    <p><a href="/telegram">Switch to another person</a></p>
  </details>`;
}

function privateForms(options: ChatPageOptions): Markup {
  const { user, payload } = options;
  if (user.hasStarted && !user.isBlocked && payload === '') {
    return html`${pickForms(options)} ${composer(options)}
    ${postForm('block', user, html`<button>Block bot</button>`)}`;
  }
  const text = user.isBlocked ? 'Unblock and start' : 'Start';
  return postForm(
    'start',
    user,
    html`<input type="hidden" name="payload" value="${payload}" /><button class="primary">${text}</button>`,
  );
}

/** The bot's buttons that share a chat, one for each chat that fits. */
function pickForms(viewer: Viewer): Markup[] {
  const { store, user } = viewer;
  const mine = store.chatsOf(user.id).filter((each) => isAdministrator(store.memberOf(each, user.id)));
  return user.pickButtons.flatMap(({ text, isChannel }) =>
    mine
      .filter(({ type }) => (type === 'channel') === isChannel)
      .map(({ id, title }) =>
        actionForm(viewer, 'share-chat', html`<button>${text}: ${title}</button>`, {
          chatId: id,
          button: text,
        }),
      ),
  );
}

const postForm = (name: string, user: User, fields: Markup) => html`
  <form class="row" method="post" action="/telegram/_chat/${name}">
    <input type="hidden" name="handle" value="${user.username ?? user.id}" />
    ${fields}
  </form>
`;

const composer = (viewer: Viewer) =>
  html`<div class="composer">
    ${actionForm(viewer, 'write', html`${topicChoice(viewer)}<input name="text" aria-label="Message" placeholder="Message" required maxlength="4096" /><button class="primary">Send</button>`)}
  </div>`;

function topicChoice({ group }: Viewer): Markup | '' {
  if (group === undefined || group.topics.length === 0) return '';
  return html`<select name="topicId" aria-label="Topic">
    ${group.topics.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}
  </select>`;
}

function groupForms(options: ChatPageOptions & { group: Group }): Markup {
  const { store, user, group } = options;
  const member = store.memberOf(group, user.id);
  if (group.isDeleted) return html`<p>This chat was deleted.</p>`;
  if (!isInside(member)) return joinForm(options);
  const canWrite =
    member.status === 'creator' || group.type !== 'channel' || member.rights.includes('can_post_messages');
  return canWrite ? composer(options) : html``;
}

function joinForm(options: ChatPageOptions & { group: Group }): Markup {
  const { group, user } = options;
  if (group.requests.some(({ userId }) => userId === user.id)) {
    return html`<p>You asked to join. An administrator has to approve it.</p>`;
  }
  if (group.username === null) return html`<p>This chat is private. You need an invite link.</p>`;
  const text = group.joinByRequest ? 'Request to join' : 'Join';
  return actionForm(options, 'join', html`<button class="primary">${text}</button>`);
}

/** The page of an invite link before joining. */
export function joinPage(viewer: Viewer & { group: Group; link: InviteLink }): Markup {
  const { group, link, user } = viewer;
  const text = link.createsJoinRequest ? 'Request to join' : 'Join';
  return page(
    group.title,
    html`<h1>${group.title}</h1>
      <p class="muted">${describeChat(group)}</p>
      <form method="post" action="/telegram/_chat/act">
        ${hiddenFields({ action: 'join', as: user.id, link: link.url })}
        <button class="primary">${text}</button>
      </form>
      <p><a href="${chatUrl({ user })}">Cancel</a></p>`,
  );
}

interface PickPageOptions {
  store: TelegramStore;
  user: User;
  type: 'group' | 'channel';
  payload: string;
  rights: string;
}

/** Picks the chat that the bot is added to. */
export function pickChatPage({ store, user, type, payload, rights }: PickPageOptions): Markup {
  const isChannel = type === 'channel';
  const groups = store.chatsOf(user.id).filter((group) => (group.type === 'channel') === isChannel);
  const row = (group: Group) =>
    html`<li>
      ${actionForm({ store, user, group }, 'add-bot', html`<button>${group.title}</button>`, { rights, payload })}
    </li>`;
  return page(
    `Add ${store.bot.first_name}`,
    html`<h1>Add ${store.bot.first_name} to a ${type}</h1>
      <p class="muted">
        ${rights === '' ? 'As a member.' : `As an administrator with the rights: ${rights.replaceAll(' ', ', ').replaceAll('_', ' ')}.`}
      </p>
      <ul class="plain">
        ${groups.map(row)}
      </ul>
      ${groups.length === 0 ? html`<p>You have no ${type} yet. Create one in the list of chats.</p>` : ''}
      <p><a href="${chatUrl({ user })}">Cancel</a></p>`,
  );
}

export const missingPage = (reason: string) =>
  page(
    'Not found',
    html`<h1>${reason}</h1>
      <p><a href="/telegram">All chats</a></p>`,
  );
