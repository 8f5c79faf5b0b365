import { html } from 'hono/html';
import type { Markup } from '../../controls/page-shell.ts';
import type { Action } from '../actions/action-schema.ts';
import type { Group, User } from '../telegram-state.ts';
import type { TelegramStore } from '../telegram-store.ts';

/** The viewer and the chat. Without a group, it's the private chat with the bot. */
export interface Viewer {
  store: TelegramStore;
  user: User;
  group?: Group | undefined;
}

/** A form that does something as the viewer, in the chat shown. */
export function actionForm(
  { user, group }: Viewer,
  action: Action['action'],
  fields: Markup,
  values: Readonly<Record<string, string | number>> = {},
): Markup {
  const hidden = { action, as: user.id, chatId: group?.id ?? user.id, ...values };
  return html`<form class="row" method="post" action="/telegram/_chat/act">
    ${hiddenFields(hidden)}${fields}
  </form>`;
}

export const hiddenFields = (values: Readonly<Record<string, string | number>>) =>
  Object.entries(values).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${String(value)}" />`,
  );

export const chatUrl = ({ user, group }: Pick<Viewer, 'user' | 'group'>) =>
  `/telegram?as=${user.username ?? user.id}${group === undefined ? '' : `&chat=${group.id}`}`;
