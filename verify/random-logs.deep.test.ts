import { expect, it } from 'vitest';
import { verifyHonest, verifyLie } from './test-support/rounds.ts';

const ROUNDS = 10_000;
const FIRST_SEED = 1_000_000;

it('10,000 random honest logs pass the check', async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + ROUNDS; seed += 1) await verifyHonest(seed);
});

it('10,000 random lies fail the check with their reason', async () => {
  const counts = new Map<string, number>();
  for (let seed = FIRST_SEED; seed < FIRST_SEED + ROUNDS; seed += 1) {
    const name = await verifyLie(seed);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  console.table(Object.fromEntries(counts));
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(ROUNDS);
});
