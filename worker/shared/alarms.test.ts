import { expect, it, vi } from 'vitest';
import { createAlarm, type AlarmsOptions } from './alarms.ts';

const sent = async () => ({ status: 'sent' as const });

/** Raises an alarm and returns its log entries and what the console keeps. */
async function raise(channels: Partial<AlarmsOptions['channels']>) {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const keep = vi.fn(async () => undefined);
  const alarm = createAlarm({ channels: { telegram: sent, browsers: sent, ...channels }, keep });
  await alarm({ kind: 'notifications.failed', details: { events: 2 } });
  return { log: error.mock.calls.map(([line]) => JSON.parse(String(line)) as object), keep };
}

const ALARM = { event: 'alarm', kind: 'notifications.failed', events: 2 };
const KEPT = `Messages were given up, because they couldn’t be sent in time.
What to do: When the cause is gone, send them again from the console.`;
const TEXT = `${KEPT}\nevents: 2`;

it('an alarm says what happened and what to do, in both channels, and is kept for the console', async () => {
  const [telegram, browsers] = [vi.fn(sent), vi.fn(sent)];
  const { log, keep } = await raise({ telegram, browsers });
  expect(log).toEqual([ALARM]);
  expect([telegram.mock.calls, browsers.mock.calls]).toEqual([[[TEXT]], [[TEXT]]]);
  expect(keep).toHaveBeenCalledWith({ kind: 'notifications.failed', text: KEPT });
});

it('a channel that nobody has set up is no failure', async () => {
  expect((await raise({ telegram: async () => null })).log).toEqual([ALARM]);
});

it.each([
  ['gets no response', async () => ({ status: 'no_response' }) as const],
  ['is rate limited', async () => ({ status: 'rate_limited' }) as const],
  ['is refused', () => Promise.reject(new Error('refused'))],
])(
  'an alarm whose message %s in one channel logs that, and is sent in the other one',
  async (_how, telegram) => {
    const browsers = vi.fn(sent);
    const { log } = await raise({ telegram, browsers });
    expect(log).toEqual([
      ALARM,
      expect.objectContaining({ event: 'alarm.unsent', kind: 'notifications.failed', channel: 'telegram' }),
    ]);
    expect(browsers).toHaveBeenCalledOnce();
  },
);
