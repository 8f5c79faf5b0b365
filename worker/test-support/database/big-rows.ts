import { DAY_MS } from '#schema/constants/time.ts';
import type { AccessEnvironment } from '../access/access-environment.ts';
import { MINTS } from '../people/callers.ts';
import { runScript } from './run-script.ts';

/** The size of each of the few big things that a marketplace has. */
export interface BigSizes {
  /** Ended calls of the environment's owner. */
  readonly callerCalls: number;
  /** Members of the owner's group and of the Free caller's. Half of them came without the bot and are due for a check. */
  readonly chatMembers: number;
  /** Calls of each of 30 callers whom the subscriber follows. A tenth of them is active. */
  readonly followedCalls: number;
  /** Ended and active calls of one token, MINTS.BONK, each of another caller. At most the rows of `insertManyRows`. */
  readonly tokenCalls: number;
}

const BUSY_CALLERS = 30;
const ENDED = `id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at, end_price, ended_at,
  change_percent, follower_rule`;
const ACTIVE = `id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at, target_price, stop_price`;
const LEVELS = `'1000000000', '0.000000001'`;

/** Adds one big thing of each kind to an environment that `insertManyRows` has filled. */
export async function insertBigRows(
  { app, ...environment }: AccessEnvironment,
  sizes: BigSizes,
): Promise<void> {
  const now = app.clock.now();
  const owner = `'${environment.owner.id}'`;
  const chat = `'${environment.subject.chatId}'`;
  const endedAt = `${now} - ${DAY_MS} - (i * 7919) % ${100 * 86_400} * 1000`;
  const result = `'1', ${now} - ${200 * DAY_MS}, '2', ${endedAt}, 100, 'gain_without_mark'`;
  const upTo = (count: number) => `(SELECT i FROM n WHERE i <= ${count})`;
  const active = sizes.followedCalls / 10;
  const busy = `(
    SELECT caller_id AS id, ROW_NUMBER() OVER (ORDER BY caller_id) AS number FROM subscriptions
    WHERE subscriber_id = '${environment.subscriber.id}' AND caller_id <> ${owner}
    ORDER BY caller_id LIMIT ${BUSY_CALLERS}) busy`;
  const strangers = `(
    SELECT caller_id AS id, ROW_NUMBER() OVER (ORDER BY caller_id) AS number FROM callers
    WHERE payout_address LIKE 'payout%') other`;
  await runScript(
    `INSERT INTO calls (${ENDED})
    SELECT 'big-' || i, ${owner}, 'Big' || i, 'B' || i, 'Big', ${result} FROM ${upTo(sizes.callerCalls)};
    INSERT INTO call_events (id, kind, call_id, caller_id, at)
    SELECT 'call_ended:big-' || i, 'call_ended', 'big-' || i, ${owner}, ${endedAt} FROM ${upTo(sizes.callerCalls)};
    INSERT INTO log_entries (caller_id, number, kind, call_id, subject_id, content, at)
    SELECT ${owner}, last.number + i, 'ended', 'big-' || i, 'big-' || i, '{"v":1,"kind":"ended"}', ${now}
    FROM ${upTo(sizes.callerCalls)}, (SELECT MAX(number) AS number FROM log_entries WHERE caller_id = ${owner}) last;
    INSERT INTO telegram_chats (chat_id, caller_id, kind, title, checked_at)
    SELECT '-1008880001', '${environment.freeCaller.id}', 'group', 'Big', 9e15;
    INSERT INTO chat_members (chat_id, person_id, name, status, is_by_us, since, check_at)
    SELECT chat_id, '9' || printf('%08d', i), 'Guest', 'in', i % 2, ${now} - i * 1000, iif(i % 2, NULL, 0)
    FROM ${upTo(sizes.chatMembers)}, telegram_chats WHERE chat_id IN (${chat}, '-1008880001');
    INSERT INTO calls (${ENDED})
    SELECT 'busy-' || busy.number || '-' || i, busy.id, 'Busy' || i, 'Y' || i, 'Busy', ${result}
    FROM ${upTo(sizes.followedCalls - active)}, ${busy};
    INSERT INTO calls (${ACTIVE})
    SELECT 'busy-active-' || busy.number || '-' || i, busy.id, 'Active' || i, 'Z' || i, 'Busy', '1', ${now} - i * 60000,
      ${LEVELS}
    FROM ${upTo(active)}, ${busy};
    INSERT INTO calls (${ENDED})
    SELECT 'token-' || i, other.id, '${MINTS.BONK}', 'BONK', 'Bonk', ${result}
    FROM ${upTo(sizes.tokenCalls)}, ${strangers} WHERE other.number = i;
    INSERT INTO calls (${ACTIVE})
    SELECT 'token-active-' || i, other.id, '${MINTS.BONK}', 'BONK', 'Bonk', '1', ${now} - i * 1000,
      ${LEVELS}
    FROM ${upTo(sizes.tokenCalls)}, ${strangers} WHERE other.number = i;
    UPDATE callers SET total_calls = (SELECT COUNT(*) FROM calls WHERE caller_id = callers.caller_id);`,
    { count: Math.max(...Object.values(sizes)) },
  );
}
