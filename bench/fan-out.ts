// Measures how long an update to 10,000 chats takes on the local runtime, and to the browsers of the same people. Meanwhile
// another caller sends an update to 3 chats, and this is measured, too. The local Telegram accepts 30 messages a second and
// refuses a tenth of them. A twentieth of the chats has blocked the bot.
import { setTimeout as pause } from 'node:timers/promises';
import { MESSAGES_PER_SECOND, PUSHES_PER_SECOND, SECOND_MS } from '#schema/constants.ts';
import { startCrowdWorld } from './crowd-world.ts';

const recipients = Number(process.argv[2] ?? 10_000);
const blocked = recipients / 20;
const QUIET_MS = 30 * SECOND_MS;
/** Time between the large and the small update, in ms. */
const SMALL_DELAY_MS = Math.min(10 * SECOND_MS, (recipients / MESSAGES_PER_SECOND / 2) * SECOND_MS);

const world = await startCrowdWorld();
try {
  const caller = await world.signInCaller('amara_calls');
  const small = await world.signInCaller('FifteenLetters_');
  await world.follow(caller.id, { count: recipients - blocked, prefix: 'crowd', hasBrowser: true });
  await world.follow(caller.id, { count: blocked, prefix: 'gone', isBlocked: true });
  const few = (await world.follow(small.id, { count: 3, prefix: 'few' })).map(({ chatId }) => chatId);
  await world.control('POST', '/telegram/send-limits', {
    perSecond: 30,
    tooManyShare: 0.1,
    retryAfterSeconds: 2,
  });

  const startedAt = Date.now();
  await caller.sendUpdate();
  const pushed = world.waitForPushes(recipients - blocked, QUIET_MS);
  await pause(SMALL_DELAY_MS);
  const smallAt = Date.now();
  await small.sendUpdate();
  let smallWait: number | null = null;
  const lastAt = await world.waitForQuiet(QUIET_MS, (counts) => {
    if (few.every((chatId) => counts[chatId])) smallWait ??= Date.now() - smallAt;
  });
  const counts = Object.values(await world.readCounts());
  const [{ id: _, ...log } = { id: '' }] = await caller.request<({ id: string } & Record<string, unknown>)[]>(
    '/api/telegram/deliveries?limit=1',
  );
  const wall = (lastAt - startedAt) / SECOND_MS;
  const fastest = (recipients + few.length) / MESSAGES_PER_SECOND;
  console.table([
    {
      recipients,
      blocked,
      reached: counts.length - few.length,
      twice: counts.filter((count) => count > 1).length,
      'wall s': Number(wall.toFixed(1)),
      'fastest s': fastest,
      ratio: Number((wall / fastest).toFixed(3)),
      'small caller ms': smallWait,
    },
  ]);
  console.log('Counts of the caller:', log);
  const { lastAt: lastPushAt, reached, twice } = await pushed;
  const pushSeconds = (lastPushAt - startedAt) / SECOND_MS;
  console.table([
    {
      browsers: recipients - blocked,
      reached,
      twice,
      'wall s': Number(pushSeconds.toFixed(1)),
      'fastest s': (recipients - blocked) / PUSHES_PER_SECOND,
      "of Telegram's time": Number((pushSeconds / wall).toFixed(3)),
    },
  ]);
} finally {
  await world.close();
}
