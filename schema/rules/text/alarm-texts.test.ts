import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ALARM_TEXTS, describeOutage } from './alarm-texts.ts';

it('docs/OPERATIONS.md explains each alarm, and no others', () => {
  const page = readFileSync('docs/OPERATIONS.md', 'utf8');
  const table = /## Alarms\n[\s\S]*?\n\n((?:\|.*\n)+)/.exec(page)?.[1] ?? '';
  const kinds = [...table.matchAll(/^\| `(\w+\.\w+)`/gm)].map(([, kind]) => kind);
  expect(kinds.toSorted()).toEqual(Object.keys(ALARM_TEXTS).toSorted());
});

it('an outage’s text says what users can’t do, since when, why, and what to do', () => {
  const since = Date.parse('2026-11-22T09:05:00.000Z');
  expect(describeOutage({ ability: 'sign_in', since, cause: 'x.unavailable' })).toEqual({
    effect: 'Users can’t sign in since 09:05 UTC. X does not respond.',
    act: 'Look at X’s status. Sessions continue.',
  });
  expect(describeOutage({ ability: 'calls', since, cause: 'prices.busy' })).toEqual({
    effect: 'Users can’t open or end calls since 09:05 UTC. prices.busy',
    act: 'Read the log lines “request.failed” of these minutes.',
  });
});
