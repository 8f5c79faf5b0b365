import { MONTH_DAYS } from '#schema/constants/money.ts';
import { DAY_MS, SECOND_MS } from '#schema/constants/time.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import { lengthsOf } from '#schema/rules/money/lengths.ts';
import type { Services } from '#worker/app/services.ts';
import { listJobs } from '#worker/jobs/every-minute.cron.ts';
import type { Chain } from '../stand-ins/chain/chain.ts';
import { buyOnChain } from './buy-on-chain.ts';
import { createCalls, type Controls } from './calls.ts';
import { FIRST_FEE_DAYS, type Fixtures } from './fixtures.ts';
import { signPayment } from './pay-on-chain.ts';
import { createPeople } from './people.ts';
import type { PlannedBuy } from './plan-buys.ts';
import type { PlannedCall } from './plan-calls.ts';
import type { PlannedFollow, PlannedPaperFollow, PlannedPayment } from './plan-subscriptions.ts';
import type { JobGroup, PlannedTick } from './plan-ticks.ts';

/** A clock that only the history moves. */
export interface HistoryClock {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Never goes back. */
  moveTo(at: number): void;
}

export interface History {
  readonly fixtures: Fixtures;
  readonly calls: readonly PlannedCall[];
  readonly payments: readonly PlannedPayment[];
  readonly follows: readonly PlannedFollow[];
  readonly paperFollows: readonly PlannedPaperFollow[];
  readonly buys: readonly PlannedBuy[];
  readonly ticks: readonly PlannedTick[];
}

interface HistoryOptions {
  readonly history: History;
  readonly services: Services;
  readonly chain: Chain;
  readonly controls: Controls;
  readonly clock: HistoryClock;
}

interface HistoryEvent {
  readonly at: number;
  run(): Promise<unknown> | void;
}

type JobName = keyof ReturnType<typeof listJobs>;

/** In the cron's order. */
const JOBS: Readonly<Record<JobGroup, readonly JobName[]>> = {
  marks: ['prices.marks', 'calls.results'],
  log: ['log.sequence'],
  anchor: ['log.anchor'],
  prices: ['prices.refresh'],
};
/** The first start writes everything to R2. */
const SKIPPED_JOBS = new Set<JobName>(['backup.export', 'log.archive']);
/** Time from a broadcast until the transaction is confirmed. */
const CONFIRMATION_MS = 2 * SECOND_MS;

/** Lets everything happen in time order, each through the product's own services. */
export async function runHistory(options: HistoryOptions): Promise<void> {
  for (const { at, run } of listEvents(options).toSorted((one, other) => one.at - other.at)) {
    options.clock.moveTo(at);
    await run();
  }
}

/** Events at the same time happen in the order of this list. */
function listEvents({ history, services, chain, controls, clock }: HistoryOptions): HistoryEvent[] {
  const people = createPeople({ services });
  const calls = createCalls({ services, people, controls });
  const { fixtures, payments, follows, paperFollows, buys, ticks } = history;

  const pay = async ({ caller, follower, payer, days }: PlannedPayment) => {
    const [userId, callerId] = [people.idOf(follower), people.idOf(caller)];
    const sold = lengthsOf(await services.subscriptions.paidTerms({ userId, callerId }));
    const terms = { callerId, days: sold.includes(days) ? days : MONTH_DAYS };
    const intent = await services.payments.openIntent(userId, terms);
    const transaction = signPayment(payer, intent).toString('base64');
    const { result: signature } = await services.payments.send(userId, { transaction });
    clock.moveTo(clock.now() + CONFIRMATION_MS);
    await services.payments.confirm(userId, { signature });
    const { platformLamports } = intent.intent;
    const total = formatSol(BigInt(intent.intent.callerLamports) + BigInt(platformLamports));
    const monthlyFee = formatSol(BigInt(intent.intent.feeLamports));
    const amounts = { monthlyFee, totalAmount: total, platformFee: formatSol(BigInt(platformLamports)) };
    await services.payments.claim(userId, { callerId, transactionId: signature, ...amounts });
  };

  const tick = createTick(services);
  return [
    ...[...fixtures.callers, ...fixtures.followers].map((member) => ({
      at: member.joinedAt,
      run: () => people.join(member),
    })),
    ...fixtures.callers.map((caller) => ({ at: caller.joinedAt, run: () => people.becomeCaller(caller) })),
    ...fixtures.callers
      .filter(({ feeLamports, firstFeeLamports }) => feeLamports !== firstFeeLamports)
      .map((caller) => ({
        at: caller.joinedAt + FIRST_FEE_DAYS * DAY_MS,
        run: () => people.changeFee(caller),
      })),
    ...follows.map(({ caller, follower, at }) => ({
      at,
      run: () =>
        services.subscriptions.subscribeFree({
          userId: people.idOf(follower),
          callerId: people.idOf(caller),
        }),
    })),
    ...paperFollows.map(({ caller, follower, amountUsd, at }) => ({
      at,
      run: () => {
        const [userId, callerId] = [people.idOf(follower), people.idOf(caller)];
        return services.paperFollows.follow({ userId, callerId, amountUsd });
      },
    })),
    ...payments.map((payment) => ({ at: payment.at, run: () => pay(payment) })),
    ...buys.map((buy) => ({ at: buy.at, run: () => buyOnChain({ chain, buy }) })),
    ...history.calls.flatMap((call) => [
      { at: call.calledAt, run: () => calls.open(call) },
      ...call.updates.map(({ message, at }) => ({ at, run: () => calls.update(call, message) })),
      ...(call.endedAt === null ? [] : [{ at: call.endedAt, run: () => calls.end(call) }]),
    ]),
    ...ticks.map((planned) => ({ at: planned.at, run: () => tick(planned) })),
  ];
}

/** Runs the cron's jobs that a planned run needs. */
function createTick(services: Services) {
  const jobs = listJobs(services);
  const all = (Object.keys(jobs) as JobName[]).filter((job) => !SKIPPED_JOBS.has(job));
  const readDue = async () => (await services.jobs.readState(services.clock.now())).due.map(({ job }) => job);
  return async ({ jobs: needed }: PlannedTick) => {
    if (needed === 'all') {
      let due = await readDue();
      // Only a job that has done something can make later ones due.
      for (const job of all) if (due.includes(job) && Boolean(await jobs[job]())) due = await readDue();
      return;
    }
    for (const group of Object.keys(JOBS) as JobGroup[]) {
      if (!needed.has(group)) continue;
      // An anchor that isn't due would be open when the next one is.
      if (group === 'anchor' && !(await readDue()).includes('log.anchor')) continue;
      for (const job of JOBS[group]) await jobs[job]();
    }
  };
}
