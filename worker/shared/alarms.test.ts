import { expect, it, vi } from 'vitest';
import type { SendResult } from '../ports/messenger.ts';
import { createAlarm } from './alarms.ts';

/** Sends an alarm through `send` and returns its log entries. */
async function logOf(send: () => Promise<SendResult>) {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const messenger = { send };
  await createAlarm({ messenger, chatId: '7' })({ kind: 'notifications.dead', details: { events: 2 } });
  return error.mock.calls.map(([line]) => JSON.parse(String(line)) as object);
}

const ALARM = { event: 'alarm', kind: 'notifications.dead', events: 2 };

it('an alarm writes one log entry if its message was sent', async () => {
  expect(await logOf(async () => ({ status: 'sent' }))).toEqual([ALARM]);
});

it.each([
  ['gets no response', async () => ({ status: 'no_response', cause: null }) as const],
  ['is rate limited', async () => ({ status: 'rate_limited', retryAfterSeconds: 3 }) as const],
  ['is refused', () => Promise.reject(new Error('refused'))],
])('an alarm whose Telegram message %s writes a second log entry and does not throw', async (_how, send) => {
  expect(await logOf(send)).toEqual([
    ALARM,
    expect.objectContaining({ event: 'alarm.unsent', kind: 'notifications.dead' }),
  ]);
});
