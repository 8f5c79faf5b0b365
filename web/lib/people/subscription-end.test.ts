import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#schema/constants/time.ts';
import { readSubscriptionEnd } from './subscription-end.ts';

/** 11 pm in the local time zone of the test run. */
const now = new Date(2026, 10, 21, 23).getTime();
const read = (distance: number) => readSubscriptionEnd(new Date(now + distance).toISOString(), now);

it.each([
  ['in eight days', 8 * DAY_MS, { stage: null, hasEnded: false, warning: null, when: 'Nov 29, 2026' }],
  ['in a week', 7 * DAY_MS, { stage: 7, hasEnded: false, warning: 'Ends in 7 days', when: 'Nov 28, 2026' }],
  [
    'in two hours, after midnight',
    2 * HOUR_MS,
    { stage: 1, hasEnded: false, warning: 'Ends tomorrow', when: 'Nov 22, 2026, 1:00 AM' },
  ],
  [
    'in half an hour',
    HOUR_MS / 2,
    { stage: 1, hasEnded: false, warning: 'Ends today', when: 'Nov 21, 2026, 11:30 PM' },
  ],
  ['at this moment', 0, { stage: 0, hasEnded: true, warning: null, when: 'Nov 21, 2026' }],
  ['four days ago', -4 * DAY_MS, { stage: null, hasEnded: true, warning: null, when: 'Nov 17, 2026' }],
])('the end of a subscription %s (%i ms from now) is described as %j', (_what, distance, end) => {
  // Some systems put a narrow space between date and time.
  expect({ ...read(distance), when: read(distance).when.replace(/\s/g, ' ') }).toEqual(end);
});
