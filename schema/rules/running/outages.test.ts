import { expect, it } from 'vitest';
import { OUTAGE_WINDOW_MS } from '#schema/constants/running.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import {
  addOutcomes,
  addProbe,
  hasFailures,
  NO_EVIDENCE,
  NO_OUTCOMES,
  outageOf,
  type Evidence,
  type Failure,
} from './outages.ts';

const NOW = 1_000 * MINUTE_MS;
const failure = (person: string, secondsAgo: number, cause = 'x.down'): Failure => ({
  person,
  at: NOW - secondsAgo * SECOND_MS,
  cause,
});
const evidenceOf = (failures: readonly Failure[], succeededAt = 0): Evidence =>
  addOutcomes(NO_EVIDENCE, { failures, succeededAt }, NOW);

const THREE = [failure('a', 60), failure('b', 40), failure('c', 20, 'x.credits')];

it.each<[string, Evidence, ReturnType<typeof outageOf>]>([
  ['three people failed', evidenceOf(THREE), { since: NOW - 60 * SECOND_MS, cause: 'x.credits' }],
  ['two people failed', evidenceOf(THREE.slice(1)), null],
  ['one person failed a hundred times', evidenceOf(Array.from({ length: 100 }, () => failure('a', 5))), null],
  [
    'the first of three failed over five minutes ago',
    evidenceOf([failure('z', 301), ...THREE.slice(1)]),
    null,
  ],
  ['somebody succeeded within five minutes', evidenceOf(THREE, NOW - OUTAGE_WINDOW_MS + 1), null],
  [
    'the last success was five minutes ago',
    evidenceOf(THREE, NOW - OUTAGE_WINDOW_MS),
    { since: NOW - 60 * SECOND_MS, cause: 'x.credits' },
  ],
  ['nothing is known', NO_EVIDENCE, null],
])('outageOf: %s', (_name, evidence, expected) => {
  expect(outageOf(evidence, NOW)).toEqual(expected);
});

it('two failed probes in a row are an outage from the first one on, unless a user succeeded since', () => {
  const once = addProbe(NO_EVIDENCE, 'timeout', NOW - MINUTE_MS);
  expect(outageOf(once, NOW)).toBeNull();
  const twice = addProbe(once, 'refused', NOW);
  expect(outageOf(twice, NOW)).toEqual({ since: NOW - MINUTE_MS, cause: 'refused' });
  expect(outageOf(addOutcomes(twice, { failures: [], succeededAt: NOW - 1 }, NOW), NOW)).toBeNull();
  expect(outageOf(addProbe(twice, null, NOW), NOW)).toBeNull();
});

it('a success does not hide a probe that goes on failing five minutes later', () => {
  const failing = addProbe(addProbe(NO_EVIDENCE, 'timeout', NOW - 9 * MINUTE_MS), 'timeout', NOW);
  const succeededAgo = (ms: number) => addOutcomes(failing, { failures: [], succeededAt: NOW - ms }, NOW);
  expect(outageOf(succeededAgo(OUTAGE_WINDOW_MS - 1), NOW)).toBeNull();
  expect(outageOf(succeededAgo(OUTAGE_WINDOW_MS + 1), NOW)).toMatchObject({ cause: 'timeout' });
});

it('two refusals of us are an outage until a user succeeds, or for an hour', () => {
  const refusals = [failure('a', 30, 'x.credits'), failure('a', 20, 'x.credits')].map((each) => ({
    ...each,
    isAboutUs: true,
  }));
  const refused = addProbe(evidenceOf(refusals), null, NOW);
  expect(outageOf(evidenceOf(refusals.slice(1)), NOW)).toBeNull();
  expect(outageOf(refused, NOW)).toEqual({ since: NOW - 30 * SECOND_MS, cause: 'x.credits' });
  expect(outageOf(addOutcomes(refused, NO_OUTCOMES, NOW + HOUR_MS), NOW + HOUR_MS)).toBeNull();
  const recovered = addOutcomes(refused, { failures: [], succeededAt: NOW }, NOW);
  expect(outageOf(recovered, NOW)).toBeNull();
  const again = addOutcomes(
    recovered,
    {
      failures: [{ ...failure('b', -5), isAboutUs: true }],
      succeededAt: 0,
    },
    NOW + MINUTE_MS,
  );
  expect(outageOf(again, NOW + MINUTE_MS)).toBeNull();
});

it('a probe that fails again after a success counts anew', () => {
  const recovered = addProbe(addProbe(NO_EVIDENCE, 'timeout', 1), null, 2);
  expect(outageOf(addProbe(recovered, 'timeout', 3), 3)).toBeNull();
});

it('old failures and those that a success followed are forgotten', () => {
  const failed = addProbe(evidenceOf(THREE), 'timeout', NOW);
  expect(hasFailures(failed)).toBe(true);
  expect(hasFailures(addProbe(failed, null, NOW))).toBe(true);
  const later = NOW + OUTAGE_WINDOW_MS;
  expect(hasFailures(addOutcomes(addProbe(failed, null, later), NO_OUTCOMES, later))).toBe(false);
});
