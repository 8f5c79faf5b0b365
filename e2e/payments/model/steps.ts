import type { AsyncCommand, Scheduler } from 'fast-check';
import type { ChainFault } from '../support/chain-faults.ts';
import { interleave } from '../support/interleave.ts';
import { KILLED, runKillable } from '../support/killable.ts';
import { readRows } from '../support/rows.ts';
import { readChain } from './chain-view.ts';
import type { Name } from './fixtures.ts';
import { checkEntitlement, type ExpectedAccess } from './entitlement.ts';
import { checkReply, pickedBy } from './expectations.ts';
import { checkRepaired } from './repaired.ts';
import type { History } from './history.ts';
import { checkSnapshot, type Snapshot } from './invariants.ts';
import { must } from './row-invariants.ts';
import { checkLastMidnight } from './silence.ts';
import { perform, type Operation, type Reply } from './operations.ts';

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

async function stepBy(
  play: Play,
  act: () => Promise<string>,
  {
    check = () => {},
    hasTimeFlown = false,
  }: { check?: () => Promise<void> | void; hasTimeFlown?: boolean } = {},
): Promise<void> {
  const { history } = play;
  play.steps += 1;
  const struck = history.faults.struck;
  const line = await act();
  history.trace.push(
    `${String(play.steps).padStart(3)}. ${new Date(history.now()).toISOString().slice(5, 19)} ${line}`,
  );
  for (const transaction of history.transactions) {
    transaction.sentAt = Math.min(transaction.sentAt, history.now());
  }
  play.timestamp = await readSnapshot(history);
  checkSnapshot(history, play.timestamp);
  play.expectedAccess = await checkEntitlement(history, {
    timestamp: play.timestamp,
    before: play.expectedAccess,
  });
  const failed = history.takeFailedJobs();
  // A job may also fail because the clock jumped, since chain requests time out then.
  must(failed.length === 0 || history.faults.struck > struck || hasTimeFlown, `a job failed: ${failed[0]}`);
  must(
    failed.every((job) => job.includes('chain')),
    `a job failed for another reason than the chain: ${failed[0]}`,
  );
  await check();
}

const hasStepsLeft = ({ steps, maxSteps }: Play) => steps < maxSteps;

/** A single operation. Checks its result if the chain responds and nothing is killed. */
export function alone(action: Action): Step {
  return {
    check: hasStepsLeft,
    toString: () => describe(action),
    async run(play) {
      const { history } = play;
      const { operation, diesAt } = action;
      const { struck } = history.faults;
      const transaction = pickedBy(history, operation);
      const before = {
        ...play.timestamp,
        at: history.now(),
        transaction,
        wasSent: transaction?.sent ?? 'never',
      };
      let reply: Reply | typeof KILLED = KILLED;
      await stepBy(
        play,
        async () => {
          reply = await runKillable({
            operation: () => perform(history, operation),
            diesAt,
            watch: { requestChain: history.faults.sendRequest },
          });
          return `${describe(action)}: ${describeReply(reply)}`;
        },
        {
          check: () => {
            if (
              reply === KILLED ||
              history.faults.struck > struck ||
              (!reply.ok && reply.code === 'nothing')
            ) {
              return;
            }
            checkReply(history, { operation, reply, before, after: play.timestamp });
            if (operation.kind !== 'cron') return;
            checkRepaired(history, play.timestamp, { everywhere: false });
            checkLastMidnight(play.timestamp.rows, history.now());
          },
        },
      );
    },
  };
}

/** The operations that move the clock. */
const TAKES_TIME: readonly Operation['kind'][] = ['advance', 'confirm', 'pay'];

/** A step of concurrent operations. The scheduler decides in which order their awaits continue. */
export function together(actions: readonly Action[]): Step {
  const text = `at once: ${actions.map(describe).join(' | ')}`;
  return {
    check: hasStepsLeft,
    toString: () => text,
    async run(play) {
      const { history, scheduler } = play;
      const hasTimeFlown = actions.some(({ operation: { kind } }) => TAKES_TIME.includes(kind));
      const act = async () => {
        const operations = actions.map(({ operation, diesAt }) => ({
          name: operation.kind,
          run: () => perform(history, operation),
          diesAt,
        }));
        const replies = await interleave({
          operations,
          scheduler,
          watch: { requestChain: history.faults.sendRequest },
        });
        return `${text}: ${replies.map(describeReply).join(' | ')}`;
      };
      await stepBy(play, act, { hasTimeFlown });
    },
  };
}

/** Runs several steps in order, as one step. Ends early when the history reaches its limit. */
export function story(steps: readonly Step[]): Step {
  return {
    check: () => true,
    toString: () => `(${steps.join(', ')})`,
    async run(play, real) {
      for (const step of steps) {
        if (play.steps < play.maxSteps) await step.run(play, real);
      }
    },
  };
}

/** A step that makes the next chain requests fail. */
export function fault(chainFault: ChainFault): Step {
  const text = `${chainFault.failure} fault for the next ${chainFault.count} ${chainFault.method ?? 'chain'} requests`;
  return {
    check: () => true,
    toString: () => text,
    run: async ({ history }) => {
      history.faults.add(chainFault);
      history.trace.push(`     ${text}`);
    },
  };
}

/** A step in which a browser loses its state. */
export function killBrowser(person: Name): Step {
  return {
    check: () => true,
    toString: () => `the browser of ${person} loses its state`,
    run: async ({ history }) => {
      for (const intent of history.intents) intent.isLost ||= intent.owner === person;
      for (const transaction of history.transactions) {
        transaction.isLost ||= transaction.names[0]?.owner === person;
      }
      history.trace.push(`     the browser of ${person} loses its state`);
    },
  };
}
