import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { startTestEnvironment, type LooseJson, type TestEnvironment } from '../controls/test-environment.ts';
import { localBot, localBotToken, localWebhookSecret } from './local-bot.ts';

export type TestProduct = Awaited<ReturnType<typeof startTestProduct>>;

/** A fake webhook of the product: the updates that it received, and the response to send. */
export async function startTestProduct() {
  const received: { headers: IncomingHttpHeaders; update: LooseJson }[] = [];
  /** `fails` names a kind of update that the product refuses. */
  const response = { fails: '' };
  const server = createServer((request, answer) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      const update: LooseJson = JSON.parse(body);
      received.push({ headers: request.headers, update });
      answer.writeHead(response.fails in update ? 500 : 200, { 'content-type': 'application/json' }).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    response,
    /** The received updates of one kind, oldest first. */
    updates: (kind: string): LooseJson[] =>
      received.flatMap(({ update }) => (kind in update ? [update[kind]] : [])),
    reset(): void {
      received.length = 0;
      response.fails = '';
    },
    close: () => void server.close(),
  };
}

/** The kinds of updates that the tests ask for. */
export const ALL_UPDATES = [
  'message',
  'callback_query',
  'my_chat_member',
  'chat_member',
  'chat_join_request',
];
export const BOT = String(localBot.id);
export const ACCESS_RIGHTS = ['can_invite_users', 'can_restrict_members'];

export type TestTelegram = Awaited<ReturnType<typeof startTestTelegram>>;

/** The stand-ins with the fake product's webhook, and short ways to act. */
export async function startTestTelegram(product: TestProduct) {
  const environment: TestEnvironment = await startTestEnvironment({ productUrl: product.url });
  const bot = async (method: string, json: object = {}) =>
    (await environment.request(`/telegram/bot${localBotToken}/${method}`, { json })).body;
  const control = async (path: string, json: object) =>
    (await environment.request(`/_control/telegram/${path}`, { json })).body;
  const act = (action: string, json: object) => control('act', { action, ...json });
  const webhook = { url: product.url, secret_token: localWebhookSecret, allowed_updates: ALL_UPDATES };
  await bot('setWebhook', webhook);

  return {
    environment,
    bot,
    control,
    act,
    /** The description of a refusal; undefined for a success. */
    refusal: async (method: string, json: object): Promise<string | undefined> =>
      (await bot(method, json)).description,
    /** Creates a chat of @owner_tele. */
    newChat: async (type: string, json: object = {}): Promise<number> =>
      (await control('chats', { as: 'owner_tele', type, title: 'Alpha', ...json })).id,
    promoteBot: (chatId: number, rights?: readonly string[]) =>
      act('promote', { as: 'owner_tele', chatId, user: BOT, ...(rights === undefined ? {} : { rights }) }),
    /** Waits until the product has all updates. Those of the bot's own methods arrive after the response. */
    delivered: () =>
      expect.poll(async () => (await bot('getWebhookInfo')).result.pending_update_count).toBe(0),
    userId: async (handle: string): Promise<number> =>
      (await environment.request(`/telegram/_chat/chat?handle=${handle}`)).body.chat?.id,
    statusOf: async (chatId: number, userId: number): Promise<string | undefined> =>
      (await bot('getChatMember', { chat_id: chatId, user_id: userId })).result?.status,
    messagesIn: async (chatId: number): Promise<LooseJson[]> =>
      (await environment.request(`/_control/messages?chatId=${chatId}`)).body,
  };
}

export interface TestScene {
  readonly product: TestProduct;
  readonly telegram: TestTelegram;
}

/** Starts the fake product for a file's tests, and new stand-ins for each test, which `use` gets first. */
export function useTestTelegram(use: (scene: TestScene) => void): void {
  let product: TestProduct;
  let telegram: TestTelegram;
  beforeAll(async () => void (product = await startTestProduct()));
  afterAll(() => product.close());
  beforeEach(async () => {
    telegram = await startTestTelegram(product);
    product.reset();
    use({ product, telegram });
  });
  afterEach(() => telegram.environment.end());
}
