import { inject, it } from 'vitest';
import { HISTORIES_AT_ONCE, playHistories } from '#test/messages/access-model.ts';

const HISTORIES = inject('isDeep') ? 3_000 : 30;
const firstSeeds = Array.from(
  { length: HISTORIES / HISTORIES_AT_ONCE },
  (_, batch) => 1 + batch * HISTORIES_AT_ONCE,
);

it.each(firstSeeds)(
  'two minutes after each change of a random history, chats follow the rules on who is let in and removed (histories from %i)',
  (first) => playHistories(Array.from({ length: HISTORIES_AT_ONCE }, (_, index) => first + index)),
);
