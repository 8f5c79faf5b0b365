import { testEnv } from '#worker/test-support/test-app.ts';
import { perform } from './operations.ts';
import { checkEntitlement } from './entitlement.ts';
import { checkRepaired, checkPlatformBalance, dueReferences } from './repaired.ts';
import type { History } from './history.ts';
import { checkSnapshot } from './invariants.ts';
import { must } from './row-invariants.ts';
import { readSnapshot, type Play } from './steps.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** At the last tick, the cron checks every intent of the last day. */
const TICKS_AFTER_MS = [MINUTE_MS, MINUTE_MS, 60 * MINUTE_MS];
const PLATFORM_AT_FIRST = 1_000_000_000n;
/** Problems that the daily check may find. It repairs a missing payment, and lists an orphan for the operator. */
const EXPECTED_PROBLEMS = ['payment.was_missing', 'payment.orphan'];

/**
 * Ends a history: lets the chain respond again and runs the cron three times. The cron must record all
 * payments that it can find, and the next daily check must record all others.
 */
export async function endHistory(play: Play): Promise<void> {
  const { history } = play;
  history.faults.clear();
  history.trace.push('     end: all faults are cleared');
  let due: ReadonlySet<string> = new Set();
  for (const after of TICKS_AFTER_MS) due = await tickOnce(history, after);
  const soon = await readSnapshot(history);
  checkSnapshot(history, soon);
  await checkEntitlement(history, { timestamp: soon, before: undefined });
  checkRepaired(history, soon, { everywhere: false, due });

  await tickOnce(history, DAY_MS);
  // The next cron run finalizes the findings of the daily check.
  await tickOnce(history, MINUTE_MS);
  const later = await readSnapshot(history);
  checkSnapshot(history, later);
  await checkEntitlement(history, { timestamp: later, before: undefined });
  checkRepaired(history, later, { everywhere: true, due });
  checkPlatformBalance(later, PLATFORM_AT_FIRST);
  await checkDailyCheck(history);
  play.timestamp = later;
}

/** Returns the references of the intents that the cron run checked. */
async function tickOnce(history: History, after: number): Promise<ReadonlySet<string>> {
  await history.app.advance(after);
  const due = dueReferences(history, await readSnapshot(history));
  await perform(history, { kind: 'cron' });
  const failed = history.takeFailedJobs();
  must(failed.length === 0, `a job failed without a fault: ${failed[0]}`);
  return due;
}

async function checkDailyCheck({ now }: History): Promise<void> {
  const day = new Date(now()).toISOString().slice(0, 10);
  const row = await testEnv.DB.prepare('SELECT finished_at, problems FROM ledger_checks WHERE day = ?')
    .bind(day)
    .first<{ finished_at: number | null; problems: string }>();
  must(row?.finished_at != null, `the daily check of ${day} did not finish`);
  const problems = JSON.parse(row.problems) as { problem: string; subject: string }[];
  const unexpected = problems.filter(({ problem }) => !EXPECTED_PROBLEMS.includes(problem));
  must(unexpected.length === 0, `the daily check found ${JSON.stringify(unexpected)}`);
}
