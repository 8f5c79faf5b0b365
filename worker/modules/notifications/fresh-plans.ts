import { SECOND_MS } from '#schema/constants.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Plan, PlanBatch } from './delivery-plans.ts';
import type { Task } from './sending.ts';

/** How long what was asked for a batch holds, counted from the answer: for so long somebody who has just stopped is still told. */
const PLAN_FRESH_MS = SECOND_MS;

export interface FreshPlansOptions {
  readonly tasks: readonly Task[];
  /** When it was known what the tasks come to; unix ms. */
  readonly plannedAt: number;
  readonly planBatch: PlanBatch;
  readonly clock: Clock;
}

/** What tasks come to by what was asked last. */
export function createFreshPlans({ tasks, plannedAt, planBatch, clock }: FreshPlansOptions) {
  let answeredAt = plannedAt;
  let plans: ReadonlyMap<Task, PromiseSettledResult<Plan | null>> = new Map(
    tasks.map((task) => [task, { status: 'fulfilled', value: task }]),
  );

  return {
    isStale: () => clock.now() - answeredAt >= PLAN_FRESH_MS,

    /** Asks anew, once for all of these; what each comes to by now, `planOf` says. */
    async renew(left: readonly Task[]): Promise<void> {
      const planOf = planBatch(left.map(({ letter }) => letter.body));
      const settle = async (task: Task) => (await Promise.allSettled([planOf(task.letter.body)]))[0];
      plans = new Map([
        ...plans,
        ...(await Promise.all(left.map(async (task) => [task, await settle(task)] as const))),
      ]);
      answeredAt = clock.now();
    },

    /** Where a task goes and what it says; `null` where it is not to be told any more. @throws where that could not be asked. */
    planOf(task: Task): Plan | null {
      const plan = plans.get(task);
      if (plan?.status === 'rejected') throw plan.reason;
      return plan?.value ?? null;
    },
  };
}
