import { vi } from 'vitest';
import type { Clock } from '../../ports/clock.ts';
import { seededShare } from '../seeded-random.ts';

export interface TelegramModelOptions {
  readonly clock: Clock;
  readonly seed: string;
  /** The share of requests that get a 429 with a Retry-After of one to three seconds. */
  readonly refusedShare?: number;
  /** The share of chats that have blocked the bot. */
  readonly blockedShare?: number;
  /** Refuses all requests until this time (unix ms). */
  readonly limited?: { readonly until: number; readonly retryAfterSeconds: number };
}

/** The sender's rate plus its burst. Further messages are refused. */
const ACCEPTED_PER_SECOND = 30;
/** The shortest and the longest latency of a response, in ms. */
const LATENCY_MS = { from: 50, to: 150 };
const SECOND_MS = 1_000;
/** Every channel or group is a private group with the bot as an administrator. */
const CHAT_FACTS: Readonly<Record<string, object | number>> = {
  getChat: { id: -1, type: 'supergroup', title: 'Chat' },
  getChatMember: {
    status: 'administrator',
    user: { id: 1, is_bot: true, first_name: 'Bot' },
    can_invite_users: true,
    can_restrict_members: true,
  },
  getChatMemberCount: 2,
  createChatInviteLink: { invite_link: 'https://t.me/+link' },
};

/** Replaces Telegram until the test ends, and records what it accepted and refused. */
export function interceptTelegram({
  clock,
  seed,
  refusedShare = 0,
  blockedShare = 0,
  limited,
}: TelegramModelOptions) {
  const { fetch } = globalThis;
  const attempts = new Map<string, number>();
  const taken = new Map<string, string[]>();
  const figures = { requests: 0, refused: 0, overruns: 0, mostInASecond: 0, lastAt: clock.now() };
  let latest: number[] = [];

  const isBlocked = (chatId: string) => seededShare(seed, 'blocked', chatId) < blockedShare;
  const refuse = (seconds: number) => ({
    status: 429,
    body: {
      ok: false,
      error_code: 429,
      description: 'Too Many Requests',
      parameters: { retry_after: seconds },
    },
  });

  const decide = ({ chatId, text }: { chatId: string; text: string }): { status: number; body: object } => {
    const attempt = (attempts.get(chatId) ?? 0) + 1;
    attempts.set(chatId, attempt);
    figures.requests += 1;
    if (limited && clock.now() < limited.until) return refuse(limited.retryAfterSeconds);
    latest = latest.filter((at) => at > clock.now() - SECOND_MS);
    if (latest.length >= ACCEPTED_PER_SECOND) {
      figures.overruns += 1;
      return refuse(1);
    }
    if (seededShare(seed, 'refused', chatId, attempt) < refusedShare) {
      figures.refused += 1;
      return refuse(1 + Math.floor(seededShare(seed, 'wait', chatId, attempt) * 3));
    }
    latest.push(clock.now());
    figures.mostInASecond = Math.max(figures.mostInASecond, latest.length);
    figures.lastAt = clock.now();
    if (isBlocked(chatId)) {
      return {
        status: 403,
        body: { ok: false, error_code: 403, description: 'Forbidden: bot was blocked by the user' },
      };
    }
    taken.set(chatId, [...(taken.get(chatId) ?? []), text]);
    return {
      status: 200,
      body: {
        ok: true,
        result: { message_id: attempt, date: 0, chat: { id: Number(chatId), type: 'private' }, text },
      },
    };
  };

  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const method = url.split('/').at(-1) ?? '';
    const isSent = method === 'sendMessage' || method === 'editMessageText';
    const result = CHAT_FACTS[method];
    if (!isSent && result === undefined) return fetch(input, init);
    const message = JSON.parse(String(init?.body)) as { chat_id: string; text: string };
    const { status, body } = isSent
      ? decide({ chatId: String(message.chat_id), text: message.text })
      : { status: 200, body: { ok: true, result } };
    await clock.sleep(
      LATENCY_MS.from + seededShare(seed, 'latency', figures.requests) * (LATENCY_MS.to - LATENCY_MS.from),
    );
    // Not a real Response, because the virtual clock can't see when its body is read.
    return { status, json: async () => body } as Response;
  });

  return {
    figures,
    isBlocked,
    /** The accepted messages of each chat. */
    taken: taken as ReadonlyMap<string, readonly string[]>,
  };
}
