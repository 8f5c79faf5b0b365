import { expect, it, vi } from 'vitest';
import { SECOND_MS } from '#schema/constants/time.ts';
import { requestLifetime } from './request-lifetime.ts';
import { systemClock } from './system-clock.ts';
import { TELEGRAM_TIMEOUT_MS, createTelegramBot, createTelegramMessenger } from './telegram-bot.ts';

const bot = createTelegramBot({
  apiUrl: 'https://telegram.test',
  token: '1:secret',
  username: 'the_bot',
  lifetime: requestLifetime,
  clock: systemClock,
});
const messenger = createTelegramMessenger({ api: bot.api, botUrl: 'https://t.me/the_bot' });
const send = () => messenger.send({ chatId: '7', text: 'Hello.' });
const respondWith = (response: () => Promise<Response>) =>
  vi.spyOn(globalThis, 'fetch').mockImplementation(response);

it.each([
  ['the connection drops', () => Promise.reject(new TypeError('Network connection lost'))],
  ['the response is incomplete', async () => new Response('{"ok":tr')],
])('sending a Telegram message returns the status no_response if %s', async (_how, response) => {
  respondWith(response);
  expect(await send()).toEqual({ status: 'no_response', cause: expect.any(Error) as Error });
});

it('sending a Telegram message returns the status no_response after 25 seconds without a response', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  respondWith(() => new Promise(() => undefined));
  const statuses: string[] = [];
  const sent = send().then(({ status }) => statuses.push(status));
  await vi.advanceTimersByTimeAsync(TELEGRAM_TIMEOUT_MS - 1);
  expect([TELEGRAM_TIMEOUT_MS, statuses]).toEqual([25 * SECOND_MS, []]);
  await vi.advanceTimersByTimeAsync(1);
  await sent;
  expect(statuses).toEqual(['no_response']);
});

const refuse = (status: number, description: string) =>
  Response.json({ ok: false, error_code: status, description }, { status });

it.each(
  Object.entries<() => Response>({
    'with a JSON error and status 500': () => refuse(500, 'Internal Server Error'),
    'with an HTML page and status 502': () => new Response('<h1>Bad Gateway</h1>', { status: 502 }),
    'because the text is too long': () => refuse(400, 'Bad Request: message is too long'),
  }),
)('sending a message throws if Telegram refuses it %s', async (_how, respond) => {
  respondWith(async () => respond());
  await expect(send()).rejects.toThrow();
});
