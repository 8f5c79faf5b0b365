import { query } from '#test/database/database.ts';
import { perform, search } from './operations.ts';
import { checkEntitlement } from './entitlement.ts';
import { checkRepaired, checkPlatformBalance, type RepairedOptions } from './repaired.ts';
import { checkOwed } from './owed.ts';
import type { History } from './history.ts';
import { checkSnapshot } from './invariants.ts';
import { checkRefundsFound } from './refunds.ts';
import { must } from './row-invariants.ts';
import { readSnapshot, type Play } from './steps.ts';
import { watched } from '../support/awaits.ts';
import { UNREADABLE_VERSION } from '../support/nodes.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** By the last tick, the leases of killed runs have expired. */
const TICKS_AFTER_MS = [MINUTE_MS, MINUTE_MS, 60 * MINUTE_MS];
const PLATFORM_AT_FIRST = 1_000_000_000n;
/** A problem that the daily check may find and repair. */
const EXPECTED_PROBLEMS = ['payment.was_missing'];

/**
 * Ends a history: lets the chain respond again, with nodes that read every version, and runs the cron three times. The
 * cron must record all payments, and the next daily check must find nothing else.
 */
export async function endHistory(play: Play): Promise<void> {
  const { history } = play;
  history.faults.clear();
  history.nodes.change({ primary: UNREADABLE_VERSION, fallback: UNREADABLE_VERSION });
  history.trace.push('     end: all faults are cleared, and every version can be read');
  // Only a search finds money that has reached the caller alone.
  for (const { names, pays, platformGain } of history.transactions) {
    const [intent] = names;
    if (intent && pays.length === 0 && platformGain === 0n) {
      await watched(history.watch, () => search(history, intent));
    }
  }
  for (const after of TICKS_AFTER_MS) await tickOnce(history, after);
  // The platform walk reads them again after six hours, unless they are stored as an intent's payment.
  await checkAll(
    play,
    ({ signature }) => history.nodes.refused.has(signature) && !isPending(play, signature),
  );

  await tickOnce(history, DAY_MS);
  await tickOnce(history, MINUTE_MS);
  await checkAll(play);
  checkPlatformBalance(play.timestamp, PLATFORM_AT_FIRST);
  checkRefundsFound(history, play.timestamp.rows);
  await checkOwed(history, play.timestamp);
  await checkDailyCheck(history);
}

const isPending = ({ timestamp }: Play, signature: string) =>
  timestamp.rows.broadcasts.some((row) => row.signature === signature && row.dead_at === null);

async function checkAll(play: Play, isUnread: RepairedOptions['isUnread'] = () => false): Promise<void> {
  const { history } = play;
  play.timestamp = await readSnapshot(history);
  checkSnapshot(history, play.timestamp);
  await checkEntitlement(history, { timestamp: play.timestamp, before: undefined });
  checkRepaired(history, play.timestamp, { everywhere: true, isUnread });
}

async function tickOnce(history: History, after: number): Promise<void> {
  await history.app.advance(after);
  await watched(history.watch, () => perform(history, { kind: 'cron' }));
  const failed = history.takeFailedJobs();
  must(failed.length === 0, `a job failed without a fault: ${failed[0]}`);
}

async function checkDailyCheck({ now }: History): Promise<void> {
  const day = new Date(now()).toISOString().slice(0, 10);
  const [row] = await query<{ finished_at: number | null; problems: string }>(
    'SELECT finished_at, problems FROM ledger_checks WHERE day = ?',
    day,
  );
  must(row?.finished_at != null, `the daily check of ${day} did not finish`);
  const problems = JSON.parse(row.problems) as { problem: string; subject: string }[];
  const unexpected = problems.filter(({ problem }) => !EXPECTED_PROBLEMS.includes(problem));
  must(unexpected.length === 0, `the daily check found ${JSON.stringify(unexpected)}`);
}
