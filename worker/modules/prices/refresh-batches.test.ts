import { describe, expect, it } from 'vitest';
import { JUPITER_MAX_MINTS, PRICE_SHARDS } from '#schema/constants.ts';
import { mintOf } from '../../test-support/active-calls.ts';
import { createRefreshBatches, type RefreshPlan } from './refresh-batches.ts';

const mints = Array.from({ length: 4_000 }, (_, index) => mintOf(index));

/** Plans one run after the other until a round is finished. */
function planRound(options: Pick<RefreshPlan, 'mints' | 'maxBatches'>) {
  const runs: (readonly string[])[][] = [];
  let cursor: string | null = null;
  do {
    const plan = createRefreshBatches({ ...options, cursor });
    runs.push(plan.batches);
    for (const index of plan.batches.keys()) plan.settle({ index, answer: null });
    cursor = plan.takeFetched().at(-1)?.next ?? null;
    expect(plan.isLastPart).toBe(cursor === null);
  } while (cursor !== null);
  return runs;
}

describe('the batches of a round', () => {
  it('are spread over runs of whole shards, and have every mint once', () => {
    const runs = planRound({ mints, maxBatches: 20 });
    expect(runs.length).toBeGreaterThan(3);
    for (const batches of runs) expect(batches.length).toBeLessThanOrEqual(20);
    expect(runs.flat(2).toSorted()).toEqual(mints.toSorted());
  });

  it('fit in one run of few mints', () => {
    expect(planRound({ mints: mints.slice(0, 10 * JUPITER_MAX_MINTS), maxBatches: 20 })).toHaveLength(1);
  });

  it('of a shard that is too large for a run are done in one run', () => {
    const runs = planRound({ mints, maxBatches: 1 });
    expect(runs).toHaveLength(PRICE_SHARDS);
  });
});
