import type { Action } from './actions/action-schema.ts';
import { setBlocked } from './actions/block-bot.ts';
import { createBotApi, type BotMethod } from './api/bot-api.ts';
import { createCallbackQueries } from './api/callback-queries.ts';
import type { Parameters } from './api/chat-access.ts';
import { createChatEvents } from './chat-events.ts';
import { createDescriptions } from './describe.ts';
import { createInvitations } from './invitations.ts';
import type { Bot } from './local-bot.ts';
import { createPhotos } from './api/photos.ts';
import { createSendLimits } from './api/send-limits.ts';
import type { Webhook } from './telegram-state.ts';
import { openTelegramStore } from './telegram-store.ts';
import { createUserActions } from './actions/user-actions.ts';
import { createWebhookDelivery } from './webhook-delivery.ts';
import { createWebhookMethods } from './api/webhook-methods.ts';

/** A webhook's response may call every method but these. */
const NOT_IN_REPLIES = /^(?:get|setwebhook$|deletewebhook$)/;

export interface ActionResult {
  /** False if the product hasn't accepted an update yet. The stand-in retries. */
  isDelivered: boolean;
  error: string | null;
}

interface TelegramOptions {
  file: string;
  photoFolder: string;
  now: () => number;
  bot: Bot;
  defaultWebhook: Webhook;
  /** Without the limits of sending, until a test sets them. */
  liftsRateLimits: boolean;
}

export type Telegram = ReturnType<typeof openTelegram>;

export function openTelegram({ file, photoFolder, now, bot, ...options }: TelegramOptions) {
  const store = openTelegramStore({ file, now, bot });
  const { state } = store;
  const describe = createDescriptions(store);
  const events = createChatEvents({ store, describe });
  const limits = createSendLimits({ now, isLifted: options.liftsRateLimits });
  const photos = createPhotos(photoFolder);
  const invitations = createInvitations({ store, describe, events });
  const queries = createCallbackQueries({ store, describe });
  const actions = createUserActions({ store, events, invitations, queries });
  const webhook = () => (state.webhook === 'default' ? options.defaultWebhook : state.webhook);
  const delivery = createWebhookDelivery({
    now,
    webhook,
    pending: state.pending,
    save: store.saveSoon,
    onReply: ({ method, ...parameters }) => callFromReply(String(method).toLowerCase(), parameters),
  });
  const methods: Readonly<Record<string, BotMethod>> = {
    ...createWebhookMethods({ store, webhook, delivery }),
    ...createBotApi({ store, describe, events, invitations, queries, limits, photos }),
  };
  void delivery.deliver();

  const hasMethod = (name: string) => Object.hasOwn(methods, name);

  /** Updates from this id on that still wait. */
  const pendingSince = (updateId: number) =>
    state.pending.filter(({ update }) => Number(update['update_id']) >= updateId);

  async function call(name: string, { parameters, origin }: { parameters: Parameters; origin: string }) {
    const firstUpdateId = state.nextUpdateId;
    const result = await methods[name]?.(parameters, origin);
    void delivery.deliver(pendingSince(firstUpdateId));
    return result;
  }

  /** The bot never learns how such a call ended. */
  function callFromReply(name: string, parameters: Parameters): void {
    if (!hasMethod(name) || NOT_IN_REPLIES.test(name)) return;
    call(name, { parameters, origin: options.defaultWebhook.url }).catch(() => undefined);
  }

  /** Does something, and posts its updates. */
  async function perform<T extends object>(act: () => T): Promise<T & ActionResult> {
    const firstUpdateId = state.nextUpdateId;
    const result = act();
    const added = pendingSince(firstUpdateId);
    await delivery.deliver(added);
    const isDelivered = !added.some((update) => state.pending.includes(update));
    const error = isDelivered ? null : (delivery.lastError()?.message ?? 'No webhook is set');
    return { ...result, isDelivered, error };
  }

  return {
    store,
    queries,
    invitations,
    limits,
    hasMethod,
    call,
    act: (action: Action, origin: string) => perform(() => actions.act(action, origin)),
    createChat: actions.createChat,
    photo: photos.read,
    setBlocked: ({ handle, isBlocked }: { handle: string; isBlocked: boolean }) =>
      perform(() => {
        const user = store.openUser(handle);
        setBlocked({ store, describe, user, isBlocked });
        return { chatId: user.id };
      }),
    pressStart: ({ handle, payload }: { handle: string; payload: string }) =>
      perform(() => {
        const user = store.openUser(handle);
        const { id: chatId } = user;
        setBlocked({ store, describe, user, isBlocked: false });
        const text = payload === '' ? '/start' : `/start ${payload}`;
        actions.act({ action: 'write', as: String(chatId), chatId, text }, '');
        return { chatId };
      }),
    close(): void {
      delivery.close();
      store.flush();
    },
  };
}
