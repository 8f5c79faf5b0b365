import { openBrowser, type Browser } from '#dev/stand-ins/push/browser.ts';
import type { PushMessage } from '#schema/contracts/push.ts';
import type { Channel } from '../../ports/outbox.ts';
import type { Random } from '../seeded-random.ts';
import { testEnv } from '../test-app.ts';

/** A message that reached a private chat, a browser, a program or a group. */
export interface Arrival {
  /** `reply`: the bot's response to a command. */
  readonly channel: Channel | 'reply';
  /** The chat's id, the browser's endpoint or the program's URL. */
  readonly address: string;
  /** A text, or a webhook's body. */
  readonly text: string;
  /** It replaces an earlier message, so Telegram notifies nobody. */
  readonly isEdit?: boolean;
  /** The sender gets no response, so it can't know whether the message has arrived. */
  readonly isUncertain: boolean;
}

export type Unsent = Omit<Arrival, 'isUncertain'>;

/** A caller's group, in which the bot is. */
export interface Group {
  isBotAdmin: boolean;
  /** The topic for calls; null for a group without topics. */
  topicId: number | null;
  isTopicClosed: boolean;
  /** Its only valid link. */
  link: string;
  /** The bot's posts, by message id. */
  readonly posts: Map<number, string>;
}

export interface OutsideOptions {
  readonly random: Random;
  readonly onArrival: (arrival: Arrival) => void;
  /** A request has failed without a rate limit. */
  readonly onFailure: (unsent: Unsent) => void;
  /** Returns the seconds to wait, or null after the approval. */
  readonly onApproval: (request: { readonly chatId: string; readonly personId: string }) => number | null;
  readonly onRemoval: (removal: { readonly chatId: string; readonly personId: string }) => void;
}

export type Outside = ReturnType<typeof createOutside>;

const FAULTS = ['limited', 'broken', 'unheard', 'unanswered'] as const;
const [PUSH_ORIGIN = ''] = testEnv.PUSH_SERVICES.split(',');
const PROGRAMS = 'https://programs.solcallers-model.com/';
const BOT = `${testEnv.TELEGRAM_API_URL}/bot${testEnv.TELEGRAM_BOT_TOKEN}/`;

/** There is no response. */
export class Lost extends TypeError {
  override message = 'Network connection lost.';
}

const refuse = (status: number, description: string) =>
  Response.json({ ok: false, error_code: status, description }, { status });
const refuseForNow = (seconds: number) =>
  Response.json(
    { ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: seconds } },
    { status: 429, headers: { 'Retry-After': String(seconds) } },
  );
const accept = (result: unknown) => Response.json({ ok: true, result });

/** Telegram, push services, programs and X's sign-in. Only requests that send a message can fail for a while. */
export function createOutside({ random, onArrival, onFailure, onApproval, onRemoval }: OutsideOptions) {
  const browsers = new Map<string, Browser>();
  const groups = new Map<string, Group>();
  /** The new ids of groups that became supergroups. */
  const migrated = new Map<string, string>();
  const [blocked, gone] = [new Set<string>(), new Set<string>()];
  const state = {
    /** The share of requests that fail. */
    faultShare: 0,
    isTelegramDown: false,
  };
  let [messages, programs] = [0, 0];

  /** Delivers a message unless the request fails. Returns the response of a failed one. @throws without a response */
  const deliver = (arrival: Unsent, arrive = () => undefined as void) => {
    if (state.isTelegramDown && arrival.channel === 'telegram') {
      onFailure(arrival);
      return new Response('', { status: 502 });
    }
    const isFailing = arrival.channel !== 'reply' && random.share() < state.faultShare;
    const fault = isFailing ? random.pick(FAULTS) : null;
    // Without a response, the sender tries all of a person's browsers again.
    if (fault !== null && fault !== 'limited') onFailure(arrival);
    if (fault === 'unheard') throw new Lost();
    if (fault === 'broken') return new Response('', { status: 502 });
    if (fault === 'limited') return refuseForNow(random.between(1, 20));
    arrive();
    onArrival({ ...arrival, isUncertain: fault === 'unanswered' });
    if (fault === 'unanswered') throw new Lost();
    return null;
  };

  const sendText = (address: string, text: string, isReply: boolean): Response => {
    if (blocked.has(address)) return refuse(403, 'Forbidden: bot was blocked by the user');
    messages += 1;
    const sent = accept({
      message_id: messages,
      date: 0,
      chat: { id: Number(address), type: 'private' },
      text,
    });
    return deliver({ channel: isReply ? 'reply' : 'telegram', address, text }) ?? sent;
  };

  const post = (group: Group, address: string, text: string, edited: number | null): Response => {
    if (group.isTopicClosed) return refuse(400, 'Bad Request: TOPIC_CLOSED');
    if (edited !== null && !group.posts.has(edited)) {
      return refuse(400, 'Bad Request: message to edit not found');
    }
    if (edited !== null && group.posts.get(edited) === text) {
      return refuse(400, 'Bad Request: message is not modified');
    }
    const id = edited ?? (messages += 1);
    const arrival = { channel: 'chat', address, text, isEdit: edited !== null } as const;
    const failed = deliver(arrival, () => void group.posts.set(id, text));
    return (
      failed ?? accept({ message_id: id, date: 0, chat: { id: Number(address), type: 'supergroup' }, text })
    );
  };

  const callBot = (method: string, body: Record<string, unknown>): Response => {
    const chatId = String(body['chat_id']);
    const group = groups.get(chatId);
    const text = String(body['text'] ?? '');
    const newId = migrated.get(chatId);
    if (newId !== undefined) {
      const description = 'Bad Request: group chat was upgraded to a supergroup chat';
      const parameters = { migrate_to_chat_id: Number(newId) };
      return Response.json({ ok: false, error_code: 400, description, parameters }, { status: 400 });
    }
    // A command's response in a group, or the message that somebody was let in.
    const isIgnored = (group && typeof body['chat_id'] === 'number') || text.startsWith('You can read ');
    if (method === 'sendMessage' && isIgnored) return accept({ message_id: (messages += 1) });
    if (method === 'sendMessage' && group && group.topicId !== (body['message_thread_id'] ?? null)) {
      return refuse(400, 'Bad Request: message thread not found');
    }
    switch (method) {
      case 'sendMessage':
        return group
          ? post(group, chatId, text, null)
          : sendText(chatId, text, typeof body['chat_id'] === 'number');
      case 'editMessageText':
        return group ? post(group, chatId, text, Number(body['message_id'])) : accept(true);
      case 'getChat':
        return group
          ? accept({
              id: Number(chatId),
              type: 'supergroup',
              title: 'Alpha',
              ...(group.topicId !== null && { is_forum: true }),
            })
          : refuse(400, 'Bad Request: chat not found');
      case 'getChatMember': {
        const user = { id: Number(body['user_id']), is_bot: true, first_name: 'Bot' };
        const rights = { can_invite_users: true, can_restrict_members: true };
        return accept(
          group?.isBotAdmin ? { status: 'administrator', user, ...rights } : { status: 'member', user },
        );
      }
      case 'getChatMemberCount':
        return accept(3);
      case 'editChatInviteLink':
        return group?.link === body['invite_link']
          ? accept({ invite_link: group?.link, is_revoked: false })
          : refuse(400, 'Bad Request: INVITE_HASH_EXPIRED');
      case 'createChatInviteLink':
        if (group) group.link = `https://t.me/+${chatId}x${(messages += 1)}`;
        return accept({ invite_link: group?.link });
      case 'approveChatJoinRequest': {
        const seconds = onApproval({ chatId, personId: String(body['user_id']) });
        return seconds === null ? accept(true) : refuseForNow(seconds);
      }
      case 'unbanChatMember':
        onRemoval({ chatId, personId: String(body['user_id']) });
        return accept(true);
      default:
        throw new Error(`The model has no ${method}`);
    }
  };

  const receivePush = async (address: string, body: unknown): Promise<Response> => {
    const browser = browsers.get(address);
    if (browser === undefined || gone.has(address)) return new Response('', { status: 410 });
    const { text } = JSON.parse(await browser.decrypt(new Uint8Array(body as ArrayBuffer))) as PushMessage;
    return deliver({ channel: 'push', address, text }) ?? new Response('', { status: 201 });
  };

  return {
    state,
    groups,
    migrated,
    /** Private chats that block the bot. */
    blocked,
    async newBrowser() {
      const browser = await openBrowser();
      const endpoint = `${PUSH_ORIGIN}/push/${crypto.randomUUID()}`;
      browsers.set(endpoint, browser);
      return { endpoint, keys: browser.keys };
    },
    /** The browser has unsubscribed, or the program is gone: requests get a 410. */
    leave: (address: string) => void gone.add(address),
    newProgram: () => `${PROGRAMS}${(programs += 1)}`,

    /** Responds to a request of the product. Null if it's for another service. */
    async respond(url: string, init: RequestInit | undefined): Promise<Response | null> {
      if (url.startsWith(BOT)) {
        return callBot(url.slice(BOT.length), JSON.parse(String(init?.body)) as Record<string, unknown>);
      }
      if (url.startsWith(`${PUSH_ORIGIN}/push/`)) return receivePush(url, init?.body);
      if (url.startsWith(PROGRAMS)) {
        if (gone.has(url)) return new Response('', { status: 410 });
        return deliver({ channel: 'webhook', address: url, text: String(init?.body) }) ?? new Response('');
      }
      if (url.startsWith(`${testEnv.X_API_URL}/2/oauth2/token`)) {
        const code = new URLSearchParams(String(init?.body)).get('code');
        return Response.json({
          token_type: 'bearer',
          access_token: code,
          scope: 'tweet.read users.read users.email',
        });
      }
      if (!url.startsWith(`${testEnv.X_API_URL}/2/users/me`)) return null;
      const id = new Headers(init?.headers).get('Authorization')?.replace('Bearer ', '') ?? '';
      return Response.json({ data: { id, name: `Person ${id}`, username: `person_${id}` } });
    },
  };
}
