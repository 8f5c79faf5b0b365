import { html, raw } from 'hono/html';
import type { Markup } from '../../controls/page-shell.ts';
import { actionForm, type Viewer } from './page-forms.ts';
import { SERVICE_USER_ID } from '../special-users.ts';
import type { Button, Message } from '../telegram-state.ts';
import { hasRight } from '../telegram-store.ts';

const lock = raw(
  '<svg width="10" height="12" viewBox="0 0 10 12" aria-hidden="true"><path fill="none" stroke="currentColor" stroke-width="1.5" d="M2.5 5V3.5a2.5 2.5 0 0 1 5 0V5"/><rect y="5" width="10" height="7" rx="1.5" fill="currentColor"/></svg>',
);

/** A message as the Telegram app draws it. */
export function messageItem(viewer: Viewer, message: Message): Markup {
  if (message.service !== null) {
    return html`<li class="service">${describeService(viewer, message)}</li>`;
  }
  const { group, user, store } = viewer;
  const isOwn = message.senderId === user.id && message.senderChatId === null;
  const classes = [isOwn ? 'own' : '', message.keyboard.length > 0 || message.photo !== null ? 'wide' : ''];
  const replied = message.replyTo === null ? undefined : store.findMessage(message.chatId, message.replyTo);
  return html`<li class="${classes.join(' ')}" id="message-${message.messageId}">
    <div class="bubble">
      ${group === undefined || isOwn ? '' : html`<span class="sender">${senderOf(viewer, message)}</span>`}
      ${message.forwardOf === null ? '' : html`<span class="muted"> Forwarded from the channel</span>`}
      ${replied === undefined ? '' : html`<span class="replied">${replied.text.slice(0, 80)}</span>`}
      ${message.photo === null ? '' : html`<img src="/telegram/_chat/photo/${message.photo}" alt="Photo" />`}
      ${message.text === '' ? '' : html`<p>${linkAddresses(message.text)}</p>`} ${metaOf(viewer, message)}
    </div>
    ${keyboardOf(viewer, message)}
  </li>`;
}

function metaOf(viewer: Viewer, message: Message): Markup {
  const { group, user, store } = viewer;
  const isOwn = message.senderId === user.id;
  const canDelete =
    isOwn || (group !== undefined && hasRight(store.memberOf(group, user.id), 'can_delete_messages'));
  const time = new Date(message.date * 1000).toISOString().slice(11, 16);
  const { messageId } = message;
  const topic = group?.topics.find(({ id }) => id === message.topicId);
  return html`<div class="meta">
    ${canDelete ? actionForm(viewer, 'delete-message', html`<button>Delete</button>`, { messageId }) : ''}
    ${message.isProtected ? html`<span>${lock} Forwarding not allowed</span>` : ''}
    ${topic === undefined ? '' : html`<span>in ${topic.name}</span>`}
    <span>${message.editDate === null ? '' : 'edited '}${time}</span>
  </div>`;
}

function keyboardOf(viewer: Viewer, { keyboard, messageId }: Message): Markup | '' {
  if (keyboard.length === 0) return '';
  const draw = ({ text, url, data, copy }: Button) => {
    if (copy !== undefined) return html`<button type="button" title="Copies ${copy}">${text}</button>`;
    if (url !== undefined) {
      return html`<a class="button" href="${url}" target="_blank" rel="noopener">${text}</a>`;
    }
    return actionForm(viewer, 'press', html`<button>${text}</button>`, { messageId, button: data ?? text });
  };
  return html`<div class="keyboard">${keyboard.map((row) => html`<div>${row.map(draw)}</div>`)}</div>`;
}

export function nameOf({ store }: Viewer, userId: number): string {
  if (userId === store.bot.id) return store.bot.first_name;
  if (userId === SERVICE_USER_ID) return 'Telegram';
  return store.findUser(userId)?.firstName ?? 'Deleted account';
}

function senderOf(viewer: Viewer, { senderId, senderChatId }: Message): string {
  if (senderChatId === null) return nameOf(viewer, senderId);
  return viewer.store.findGroup(senderChatId)?.title ?? '';
}

function describeService(viewer: Viewer, { service, senderId }: Message): string {
  const texts: Record<string, (value: unknown) => string> = {
    new_chat_member: (value) => `${readName(value)} joined`,
    left_chat_member: (value) => `${readName(value)} left`,
    forum_topic_created: (value) => `The topic “${readName(value, 'name')}” was created`,
    forum_topic_closed: () => 'The topic was closed',
    forum_topic_reopened: () => 'The topic was reopened',
    new_chat_title: (value) => `The name is now “${String(value)}”`,
    migrate_to_chat_id: () => 'The group was upgraded to a supergroup',
    migrate_from_chat_id: () => 'The group was upgraded to a supergroup',
    chat_shared: () => 'You shared a chat with the bot',
  };
  for (const [key, value] of Object.entries(service ?? {})) {
    const text = texts[key];
    if (text !== undefined) return text(value);
  }
  return `${nameOf(viewer, senderId)} created the chat`;
}

function readName(value: unknown, key = 'first_name'): string {
  const fields: Readonly<Record<string, unknown>> = { ...(typeof value === 'object' ? value : {}) };
  return String(fields[key] ?? '');
}

function linkAddresses(text: string): (string | Markup)[] {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part) =>
      /^https?:/.test(part) ? html`<a href="${part}" target="_blank" rel="noopener">${part}</a>` : part,
    );
}
