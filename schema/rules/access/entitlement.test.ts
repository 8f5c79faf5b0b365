import fc from 'fast-check';
import { expect, it } from 'vitest';
import { accessEndsAt, isViewerEntitled } from './entitlement.ts';
import type { Period } from './subscription.ts';

const NOW = 1_000_000;
type Facts = Parameters<typeof isViewerEntitled>[0];
const standing = { isSuspended: false, isHidden: false };
/** Another viewer of a Paid caller, unless the facts differ. */
const factsOf = (facts: Partial<Facts> & Pick<Facts, 'periods'>): Facts => ({
  viewerId: 'viewer',
  callerId: 'caller',
  isFree: false,
  standing,
  now: NOW,
  ...facts,
});
const isEntitled = (facts: Parameters<typeof factsOf>[0]) => isViewerEntitled(factsOf(facts));
const periods = {
  none: [],
  running: [{ startsAt: NOW - 10, endsAt: NOW + 10 }],
  'in its last millisecond': [{ startsAt: NOW - 10, endsAt: NOW + 1 }],
  'ending now': [{ startsAt: NOW - 10, endsAt: NOW }],
  lapsed: [{ startsAt: NOW - 20, endsAt: NOW - 10 }],
  upcoming: [{ startsAt: NOW + 10, endsAt: NOW + 20 }],
  'open-ended': [{ startsAt: NOW - 10, endsAt: null }],
  'lapsed and running': [
    { startsAt: NOW - 20, endsAt: NOW - 10 },
    { startsAt: NOW - 10, endsAt: NOW + 10 },
  ],
  'running and upcoming': [
    { startsAt: NOW - 10, endsAt: NOW + 10 },
    { startsAt: NOW + 15, endsAt: NOW + 30 },
  ],
  'two running': [
    { startsAt: NOW - 10, endsAt: NOW + 20 },
    { startsAt: NOW - 20, endsAt: NOW + 10 },
  ],
} satisfies Record<string, readonly Period[]>;
/** When access to a Paid caller ends, by the period's name. */
const paidUntil = new Map([
  ['running', NOW + 10],
  ['in its last millisecond', NOW + 1],
  ['lapsed and running', NOW + 10],
  ['running and upcoming', NOW + 10],
  ['two running', NOW + 20],
]);

/** When access ends: 0 without access, Infinity without an end. */
function expectedEnd(viewer: string, isFree: boolean, period: string): number {
  if (viewer === 'anonymous') return 0;
  return viewer === 'owner' || isFree ? Infinity : (paidUntil.get(period) ?? 0);
}

const rows = ['anonymous', 'owner', 'other'].flatMap((viewer) =>
  [true, false].flatMap((isFree) =>
    Object.entries(periods).map(([name, held]) => {
      const end = expectedEnd(viewer, isFree, name);
      return [
        viewer,
        isFree,
        name,
        end === 0 ? 'no access' : `access for ${end - NOW} ms`,
        end,
        held,
      ] as const;
    }),
  ),
);

// Specification 6.26
it.each(rows)(
  'the viewer “%s” of a caller (Free: %s) with the period “%s” has %s',
  (viewer, isFree, _name, _access, expected, held) => {
    const viewerId = { anonymous: null, owner: 'caller', other: 'viewer' }[viewer] ?? null;
    const facts = factsOf({ viewerId, isFree, periods: held });
    expect(isViewerEntitled(facts)).toBe(expected > 0);
    expect(accessEndsAt(facts)).toBe(expected);
  },
);

it('a subscriber of a Paid caller has access only during a period that has an end', () => {
  const anyTime = fc.integer({ min: 0, max: 12 });
  const anyHeld = fc.array(fc.record({ startsAt: anyTime, endsAt: fc.option(anyTime) }), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(anyHeld, anyTime, (held, now) => {
      const paidTimes = new Set(
        held.flatMap(({ startsAt, endsAt }) =>
          Array.from({ length: Math.max(0, (endsAt ?? 0) - startsAt) }, (_, index) => startsAt + index),
        ),
      );
      expect(isEntitled({ periods: held, now })).toBe(paidTimes.has(now));
    }),
  );
});

it.each([
  ['a suspended Free caller', { isSuspended: true }, true, ['owner', 'open-ended', 'running']],
  ['a hidden Free caller', { isHidden: true }, true, ['owner', 'running']],
  ['a suspended Paid caller', { isSuspended: true }, false, ['owner', 'running']],
  ['a hidden Paid caller', { isHidden: true }, false, ['owner', 'running']],
] as const)(
  'only the caller and followers with access see the active calls of %s',
  (_, restriction, isFree, expected) => {
    const viewers = [
      { name: 'owner', viewerId: 'caller', held: [] },
      ...(['none', 'lapsed', 'open-ended', 'running'] as const).map((name) => {
        return { name, viewerId: 'viewer', held: periods[name] };
      }),
    ];
    const restricted = { isFree, standing: { ...standing, ...restriction } };
    const entitled = viewers.filter(({ viewerId, held: periods }) =>
      isEntitled({ ...restricted, viewerId, periods }),
    );
    expect(entitled.map(({ name }) => name)).toEqual(expected);
  },
);
