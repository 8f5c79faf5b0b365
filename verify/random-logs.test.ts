import { expect, it } from 'vitest';
import { LIES } from './test-support/lies.ts';
import { verifyHonest, verifyLie } from './test-support/rounds.ts';

const ROUNDS = 50;

it('random honest logs pass the check', async () => {
  for (let seed = 0; seed < ROUNDS; seed += 1) await verifyHonest(seed);
});

it('random lies fail the check with their reason', async () => {
  const names = new Set<string>();
  for (let seed = 0; seed < 3 * ROUNDS; seed += 1) names.add(await verifyLie(seed));
  expect([...names].sort()).toEqual(Object.keys(LIES).sort());
});
