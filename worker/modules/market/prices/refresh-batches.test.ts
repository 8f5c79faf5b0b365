import { expect, it } from 'vitest';
import { PRICE_BATCH_SIZE } from '#schema/constants/prices.ts';
import { shardOf } from '#schema/rules/prices/price-shards.ts';
import { mintOf } from '#test/people/active-calls.ts';
import { createRefreshBatches } from './refresh-batches.ts';

const mints = Array.from({ length: 4_000 }, (_, index) => mintOf(index));

it('the batches of a price refresh have every mint once, and all but the last are full', () => {
  const { batches } = createRefreshBatches({ mints, nextShard: null });
  expect(batches.slice(0, -1).every(({ length }) => length === PRICE_BATCH_SIZE)).toBe(true);
  expect(batches.flat().toSorted()).toEqual(mints.toSorted());
});

it.each([
  ['the next shard', 7, '7'],
  ['null after the last part of a round', null, null],
])('the cursor after a price refresh is %s', (_, nextShard, expected) => {
  const part = mints.filter((mint) => shardOf(mint) < (nextShard ?? Infinity));
  const plan = createRefreshBatches({ mints: part, nextShard });
  for (const index of plan.batches.keys()) plan.finish({ index, response: null });
  expect(plan.takeFetched().at(-1)?.next).toBe(expected);
  expect(plan.isLastPart).toBe(nextShard === null);
});
