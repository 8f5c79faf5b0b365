import { z } from 'zod';
import { isLoopbackUrl } from '../../controls/same-origin.ts';
import { badRequest, BotError } from '../bot-error.ts';
import { isTrue, readInteger, readJsonParameter, readText, type Parameters } from './chat-access.ts';
import type { TelegramStore } from '../telegram-store.ts';
import type { Webhook } from '../telegram-state.ts';
import type { createWebhookDelivery } from '../webhook-delivery.ts';

const SECRET_PATTERN = /^[A-Za-z0-9_-]{1,256}$/;
const MAX_UPDATES = 100;
const updateKinds = [
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'callback_query',
  'my_chat_member',
  'chat_member',
  'chat_join_request',
];
const commandsParameter = z
  .array(
    z.object({ command: z.string().regex(/^\/?[a-z0-9_]{1,32}$/), description: z.string().min(1).max(256) }),
  )
  .max(100);

interface WebhookMethodOptions {
  store: TelegramStore;
  webhook(): Webhook | null;
  delivery: ReturnType<typeof createWebhookDelivery>;
}

/** The methods about the bot itself and its webhook. */
export function createWebhookMethods({ store, webhook, delivery }: WebhookMethodOptions) {
  const { state } = store;

  function change(target: Webhook | null, parameters: Parameters): true {
    state.webhook = target;
    readAllowedUpdates(parameters['allowed_updates']);
    if (isTrue(parameters['drop_pending_updates'])) state.pending.length = 0;
    store.saveSoon();
    void delivery.deliver();
    return true;
  }

  /** Without the parameter, the previous list stays. An empty list means all kinds but those on request. */
  function readAllowedUpdates(parameter: unknown): void {
    const list = readJsonParameter(parameter);
    if (!Array.isArray(list)) return;
    const known = list.map(String).filter((kind) => updateKinds.includes(kind));
    state.allowedUpdates = known.length === 0 ? null : known;
  }

  return {
    getme: () => ({
      ...store.bot,
      can_join_groups: state.botSettings.canJoinGroups,
      can_read_all_group_messages: !state.botSettings.hasPrivacyMode,
      supports_inline_queries: false,
      supports_join_request_queries: false,
      can_connect_to_business: false,
      can_manage_bots: false,
      has_main_web_app: false,
      has_topics_enabled: false,
      allows_users_to_create_topics: false,
    }),
    setmycommands: (parameters: Parameters) => {
      const commands = commandsParameter.safeParse(readJsonParameter(parameters['commands']));
      if (!commands.success) throw badRequest('BOT_COMMAND_INVALID');
      state.commands[readScope(parameters)] = commands.data.map(({ command, description }) => ({
        command: command.replace('/', ''),
        description,
      }));
      store.saveSoon();
      return true;
    },
    getmycommands: (parameters: Parameters) => state.commands[readScope(parameters)] ?? [],
    /** Updates from `offset` on. Those before it are confirmed, so Telegram forgets them. */
    getupdates: (parameters: Parameters) => {
      if (webhook() !== null) {
        throw new BotError("Conflict: can't use getUpdates method while webhook is active", { status: 409 });
      }
      readAllowedUpdates(parameters['allowed_updates']);
      const offset = readInteger(parameters['offset']);
      const isConfirmed = ({ update }: { update: Record<string, unknown> }) =>
        Number(update['update_id']) < offset;
      state.pending.splice(0, state.pending.length, ...state.pending.filter((entry) => !isConfirmed(entry)));
      store.saveSoon();
      return state.pending.slice(0, MAX_UPDATES).map(({ update }) => update);
    },
    setwebhook: (parameters: Parameters) => change(readWebhook(parameters), parameters),
    deletewebhook: (parameters: Parameters) => change(null, parameters),
    getwebhookinfo: () => {
      const error = delivery.lastError();
      return {
        url: webhook()?.url ?? '',
        has_custom_certificate: false,
        pending_update_count: state.pending.length,
        max_connections: 40,
        ...(error === undefined ? {} : { last_error_date: error.date, last_error_message: error.message }),
        ...(state.allowedUpdates === null ? {} : { allowed_updates: state.allowedUpdates }),
      };
    },
  };
}

const scopeParameter = z.object({ type: z.string() }).catch({ type: 'default' });

/** The chats in which commands are shown, such as `all_private_chats`. */
const readScope = (parameters: Parameters): string =>
  scopeParameter.parse(readJsonParameter(parameters['scope'])).type;

function readWebhook(parameters: Parameters): Webhook | null {
  const address = readText(parameters['url']);
  if (address === '') return null;
  const url = URL.parse(address);
  // The real API requires https. The stand-in requires a URL on this machine, which has no certificate.
  if (url === null || !isLoopbackUrl(url)) {
    throw badRequest('bad webhook: the local stand-in posts to addresses of this machine only');
  }
  const secret = parameters['secret_token'];
  if (secret !== undefined && !SECRET_PATTERN.test(String(secret))) {
    throw badRequest('secret token contains unallowed characters');
  }
  return { url: url.href, secretToken: secret === undefined ? null : String(secret) };
}
