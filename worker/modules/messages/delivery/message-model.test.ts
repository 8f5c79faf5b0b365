import { inject, it } from 'vitest';
import { playHistories } from '#test/messages/message-model.ts';

const HISTORIES = inject('isDeep') ? 3_000 : 10;
/** Histories that share the database, the clock, the prices and the cron. */
const AT_ONCE = Math.min(HISTORIES, 20);
const firstSeeds = Array.from({ length: HISTORIES / AT_ONCE }, (_, batch) => 1 + batch * AT_ONCE);

it.each(firstSeeds)(
  'in random histories with failures and crashes, people get exactly the messages that the rules say, once and in order (histories from %i)',
  (first) => playHistories(Array.from({ length: AT_ONCE }, (_, index) => first + index)),
);
