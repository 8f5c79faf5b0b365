import { setTimeout as pause } from 'node:timers/promises';
import { MESSAGES_PER_SECOND, PUSHES_PER_SECOND, SECOND_MS } from '#schema/constants.ts';
import type { Part } from '../context.ts';
import { spreadOf, type Result } from '../results.ts';
import { addFollowers, control, signInCaller, waitForQuiet } from './crowd.ts';

const QUIET_MS = 30 * SECOND_MS;
const TINY_QUIET_MS = 6 * SECOND_MS;
const FEW = 3;
/** Time between the large and the small update. */
const SMALL_DELAY_MS = 10 * SECOND_MS;
const MAX_RATIO = 1.2;
const MAX_SMALL_MS = 5 * SECOND_MS;

/**
 * Sends an update to many chats and browsers in real time, and meanwhile another caller's update to three. The local
 * Telegram accepts 30 messages a second and refuses a tenth of them; a twentieth of the chats has blocked the bot.
 */
export const measureFanOut: Part = async ({ openLocal, options: { recipients, isTiny } }) => {
  const local = await openLocal();
  const quietMs = isTiny ? TINY_QUIET_MS : QUIET_MS;
  const blocked = recipients / 20;
  const caller = await signInCaller(local, 'amara_calls');
  const other = await signInCaller(local, 'FifteenLetters_');
  const crowd = { count: recipients - blocked, prefix: 'crowd', hasBrowser: true };
  const chats = await addFollowers(local, caller.id, crowd);
  await addFollowers(local, caller.id, { count: blocked, prefix: 'gone', isBlocked: true });
  const few = await addFollowers(local, other.id, { count: FEW, prefix: 'few' });
  const limits = { perSecond: 30, tooManyShare: 0.1, retryAfterSeconds: 2 };
  await control(local, 'POST', '/telegram/send-limits', limits);
  const readCounts = () => control<Record<string, number>>(local, 'GET', '/messages/counts');
  const readPushes = () => control<{ endpoint: string }[]>(local, 'GET', '/push/messages');
  const before = await readCounts();
  const pushesBefore = (await readPushes()).length;

  const startedAt = Date.now();
  await caller.sendUpdate();
  const pushed = waitForQuiet(async () => (await readPushes()).length, quietMs);
  await pause(Math.min(SMALL_DELAY_MS, (recipients / MESSAGES_PER_SECOND / 2) * SECOND_MS));
  const smallAt = Date.now();
  await other.sendUpdate();
  let smallMs = Infinity;
  const lastAt = await waitForQuiet(async () => {
    const counts = await readCounts();
    if (few.every((chat) => counts[chat])) smallMs = Math.min(smallMs, Date.now() - smallAt);
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  }, quietMs);
  const counts = await readCounts();
  const received = chats.map((chat) => (counts[chat] ?? 0) - (before[chat] ?? 0));
  const lastPushAt = await pushed;
  const endpoints = (await readPushes()).slice(pushesBefore).map(({ endpoint }) => endpoint);
  const reached = new Set(endpoints).size;

  const exactly = (what: string, value: number, goal: number): Result => ({
    what,
    value: spreadOf([value]),
    unit: '',
    goal: String(goal),
    isMet: value === goal,
  });
  const seconds = (lastAt - startedAt) / SECOND_MS;
  const ratio = seconds / ((recipients + FEW) / MESSAGES_PER_SECOND);
  return [
    exactly('chats without a message', received.filter((count) => count === 0).length, 0),
    exactly('chats with two messages', received.filter((count) => count > 1).length, 0),
    exactly('browsers without a notification', crowd.count - reached, 0),
    exactly('browsers with two notifications', endpoints.length - reached, 0),
    {
      what: `Telegram: time for ${recipients} chats`,
      value: spreadOf([ratio]),
      unit: `× the bot’s rate (${seconds.toFixed(0)} s)`,
      goal: `≤ ${MAX_RATIO}`,
      isMet: ratio <= MAX_RATIO,
    },
    {
      what: `browsers: time for ${crowd.count}`,
      value: spreadOf([(lastPushAt - startedAt) / SECOND_MS / (crowd.count / PUSHES_PER_SECOND)]),
      unit: '× the rate of pushes',
    },
    {
      what: 'the small caller’s update',
      value: spreadOf([smallMs]),
      unit: 'ms',
      goal: `≤ ${MAX_SMALL_MS}`,
      isMet: smallMs <= MAX_SMALL_MS,
    },
  ];
};
