import type { AsyncCommand, Scheduler } from 'fast-check';
import type { ChainFault } from '../support/chain-faults.ts';
import { interleave } from '../support/interleave.ts';
import { dieAt, KILLED, runKillable } from '../support/killable.ts';
import { readRows } from '../support/rows.ts';
import { readChain } from './chain-view.ts';
import type { Name } from './fixtures.ts';
import { checkEntitlement, type ExpectedAccess } from './entitlement.ts';
import { checkReply, pickedBy } from './expectations.ts';
import { checkRepaired, type Snapshot } from './repaired.ts';
import type { History } from './history.ts';
import { checkSnapshot } from './invariants.ts';
import { must } from './row-invariants.ts';
import { checkLastMidnight } from './silence.ts';
import { perform, type Operation } from './operations.ts';
import { nth, present, type Reply } from './replies.ts';
import type { Signed } from './transactions.ts';
import { canSurelyRead, checkOffers, noteSearched, noteWalked } from './unreadable.ts';

export interface Action {
  readonly operation: Operation;
  readonly diesAt: number | undefined;
}

export interface Play {
  readonly history: History;
  readonly scheduler: Scheduler;
  timestamp: Snapshot;
  expectedAccess: ExpectedAccess | undefined;
  steps: number;
  readonly maxSteps: number;
}

export type Step = AsyncCommand<Play, Play>;

export const readSnapshot = async (history: History): Promise<Snapshot> => {
  const [rows, chain] = await Promise.all([readRows(), readChain(history)]);
  return { rows, chain };
};

const describe = ({ operation: { kind, ...details }, diesAt }: Action) =>
  `${kind} ${Object.values(details).join(' ')}${diesAt === undefined ? '' : ` (dies at ${diesAt})`}`;
const describeReply = (reply: Reply | typeof KILLED): string => {
  if (reply === KILLED) return 'died';
  return reply.ok ? 'ok' : reply.code;
};

/** For this long, an endpoint is down after a fault, and a killed run holds its lease. */
const DISTURBED_MS = 30_000;

/** The operations that move the clock. */
const TAKES_TIME: readonly Operation['kind'][] = ['advance', 'confirm', 'pay'];

const hasStepsLeft = ({ steps, maxSteps }: Play) => steps < maxSteps;

/**
 * A step of one operation, or of several concurrent operations, in which the scheduler decides the order of the awaits.
 * Checks the result of a single operation if the chain responds and nothing is killed.
 */
export function act(actions: readonly Action[]): Step {
  const alone = actions.length === 1 ? actions[0]?.operation : undefined;
  const text = `${alone ? '' : 'at once: '}${actions.map(describe).join(' | ')}`;
  return {
    check: hasStepsLeft,
    toString: () => text,
    async run(play) {
      const { history, scheduler } = play;
      const { struck } = history.faults;
      const transaction = alone && pickedBy(history, alone);
      const wasSent = transaction?.sent ?? 'never';
      const before = { ...play.timestamp, at: history.now(), transaction, wasSent };
      play.steps += 1;
      const operations = actions.map(({ operation, diesAt }) => ({
        name: operation.kind,
        run: () => perform(history, operation),
        dies: dieAt(diesAt),
      }));
      const { watch } = history;
      const replies = alone
        ? await Promise.all(operations.map((each) => runKillable({ ...each, watch })))
        : await interleave({ operations, scheduler, watch });
      const time = new Date(history.now()).toISOString().slice(5, 19);
      history.trace.push(
        `${String(play.steps).padStart(3)}. ${time} ${text}: ${replies.map(describeReply).join(' | ')}`,
      );
      await checkStep(play);

      const failed = history.takeFailedJobs();
      const isDisturbed = history.faults.struck > struck;
      // A job may also fail because the clock jumped: chain requests time out, and another run takes its lease.
      const hasTimeFlown = !alone && actions.some(({ operation: { kind } }) => TAKES_TIME.includes(kind));
      if (!alone || isDisturbed || replies.includes(KILLED)) {
        history.disturbedUntil = history.now() + DISTURBED_MS;
      }
      must(failed.length === 0 || isDisturbed || hasTimeFlown, `a job failed: ${failed[0]}`);
      must(
        failed.every((job) => job.includes('chain') || (hasTimeFlown && job.includes('LeaseLostError'))),
        `a job failed for another reason than the chain: ${failed[0]}`,
      );
      const [reply = KILLED] = replies;
      if (!alone || reply === KILLED || isDisturbed || describeReply(reply) === 'nothing') return;
      checkReply(history, { operation: alone, reply, before, after: play.timestamp });
      if (alone.kind === 'search' && describeReply(reply) === 'payments.unreadable') {
        const intent = nth(present(history.intents), alone.intent);
        if (intent) noteSearched(history, before, intent);
      }
      if (alone.kind !== 'cron') return;
      if (before.at >= history.disturbedUntil) noteWalked(history, before);
      checkRepaired(history, play.timestamp, {
        everywhere: false,
        isUnread: ({ version }: Signed) => !canSurelyRead(history, version, before.at),
      });
      checkLastMidnight(play.timestamp.rows, history.now());
    },
  };
}

async function checkStep(play: Play): Promise<void> {
  const { history, expectedAccess } = play;
  for (const transaction of history.transactions) {
    transaction.sentAt = Math.min(transaction.sentAt, history.now());
  }
  play.timestamp = await readSnapshot(history);
  checkSnapshot(history, play.timestamp);
  checkOffers(history, play.timestamp);
  play.expectedAccess = await checkEntitlement(history, {
    timestamp: play.timestamp,
    before: expectedAccess,
  });
}

/** Runs several steps in order, as one step. Ends early when the history reaches its limit. */
export function story(steps: readonly Step[]): Step {
  return {
    check: () => true,
    toString: () => `(${steps.join(', ')})`,
    async run(play, real) {
      for (const step of steps) {
        if (hasStepsLeft(play)) await step.run(play, real);
      }
    },
  };
}

/** A step outside of the product, which needs no check. */
const change = (text: string, apply: (history: History) => void): Step => ({
  check: () => true,
  toString: () => text,
  run: async ({ history }) => {
    apply(history);
    history.trace.push(`     ${text}`);
  },
});

/** A step that makes the next chain requests fail. */
export function fault(chainFault: ChainFault): Step {
  const { failure, count, method = 'chain' } = chainFault;
  return change(`${failure} fault for the next ${count} ${method} requests`, ({ faults }) =>
    faults.add(chainFault),
  );
}

/** A step in which a browser loses its state. */
export const killBrowser = (person: Name): Step =>
  change(`the browser of ${person} loses its state`, ({ intents, transactions }) => {
    for (const intent of intents) intent.isLost ||= intent.owner === person;
    for (const transaction of transactions) transaction.isLost ||= transaction.names[0]?.owner === person;
  });
