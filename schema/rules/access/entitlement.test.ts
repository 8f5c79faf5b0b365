import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideEntitlement, type Entitlement } from './entitlement.ts';
import type { Period } from './subscription.ts';

const NOW = 1_000_000;
const standing = { isSuspended: false, isHidden: false };
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
} satisfies Record<string, readonly Period[]>;
const paying = new Set(['running', 'in its last millisecond', 'lapsed and running']);

function expectedReason(viewer: string, isFree: boolean, period: string): Entitlement['because'] {
  if (viewer === 'anonymous') return 'anonymous';
  if (viewer === 'owner') return 'owner';
  if (isFree) return 'free';
  return paying.has(period) ? 'subscribed' : 'not_subscribed';
}

describe('decideEntitlement', () => {
  const rows = ['anonymous', 'owner', 'other'].flatMap((viewer) =>
    [true, false].flatMap((isFree) =>
      Object.entries(periods).map(
        ([name, held]) => [viewer, isFree, name, expectedReason(viewer, isFree, name), held] as const,
      ),
    ),
  );

  // Specification 6.26
  it.each(rows)(
    'returns for viewer %s, Free caller %s and period "%s": %s',
    (viewer, isFree, _name, because, held) => {
      const viewerId = { anonymous: null, owner: 'caller', other: 'viewer' }[viewer] ?? null;
      const decision = decideEntitlement({
        viewerId,
        callerId: 'caller',
        isFree,
        standing,
        periods: held,
        now: NOW,
      });
      expect(decision).toEqual({ isEntitled: !['anonymous', 'not_subscribed'].includes(because), because });
    },
  );

  it('for any two periods, grants access to the owner, to signed-in users if the caller is Free, and to subscribers in a running period', () => {
    const starts = { earlier: NOW - 1, now: NOW, later: NOW + 1 };
    const ends = { earlier: NOW - 1, now: NOW, later: NOW + 1, never: null };
    const kinds = Object.entries(starts).flatMap(([start, startsAt]) =>
      Object.entries(ends).map(([end, endsAt]) => ({
        name: `${start} to ${end}`,
        period: { startsAt, endsAt },
      })),
    );
    const opening = new Set(['earlier to later', 'now to later']);
    const held = [
      [],
      ...kinds.map((one) => [one]),
      ...kinds.flatMap((one) => kinds.map((other) => [one, other])),
    ];
    let decisions = 0;
    for (const several of held) {
      const names = several.map(({ name }) => name);
      for (const [viewerId, isFree, expected] of [
        [null, true, 'anonymous'],
        [null, false, 'anonymous'],
        ['caller', true, 'owner'],
        ['caller', false, 'owner'],
        ['viewer', true, 'free'],
        ['viewer', false, names.some((name) => opening.has(name)) ? 'subscribed' : 'not_subscribed'],
      ] as const) {
        const { isEntitled, because } = decideEntitlement({
          viewerId,
          callerId: 'caller',
          isFree,
          standing,
          periods: several.map(({ period }) => period),
          now: NOW,
        });
        expect([names, viewerId, isFree, because, isEntitled]).toEqual([
          names,
          viewerId,
          isFree,
          expected,
          ['owner', 'free', 'subscribed'].includes(expected),
        ]);
        decisions += 1;
      }
    }
    expect(decisions).toBe(6 * (1 + 12 + 144));
  });

  it('grants a subscriber of a Paid caller access only during a period that has an end', () => {
    const anyMoment = fc.integer({ min: 0, max: 12 });
    const anyHeld = fc.array(fc.record({ startsAt: anyMoment, endsAt: fc.option(anyMoment) }), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(anyHeld, anyMoment, (held, now) => {
        const paidMoments = new Set(
          held.flatMap(({ startsAt, endsAt }) =>
            Array.from({ length: Math.max(0, (endsAt ?? 0) - startsAt) }, (_, index) => startsAt + index),
          ),
        );
        expect(
          decideEntitlement({
            viewerId: 'viewer',
            callerId: 'caller',
            isFree: false,
            standing,
            periods: held,
            now,
          }).isEntitled,
        ).toBe(paidMoments.has(now));
      }),
    );
  });

  it.each([
    ['a suspended Free caller', { isSuspended: true }, true, ['owner', 'open-ended', 'running']],
    ['a hidden Free caller', { isHidden: true }, true, ['owner', 'running']],
    ['a suspended Paid caller', { isSuspended: true }, false, ['owner', 'running']],
    ['a hidden Paid caller', { isHidden: true }, false, ['owner', 'running']],
  ] as const)('of %s, admits only people whose period runs', (_, restriction, isFree, expected) => {
    const viewers = [
      { name: 'owner', viewerId: 'caller', held: [] },
      ...(['none', 'lapsed', 'open-ended', 'running'] as const).map((name) => {
        return { name, viewerId: 'viewer', held: periods[name] };
      }),
    ];
    const entitled = viewers.filter(
      ({ viewerId, held }) =>
        decideEntitlement({
          viewerId,
          callerId: 'caller',
          isFree,
          standing: { ...standing, ...restriction },
          periods: held,
          now: NOW,
        }).isEntitled,
    );
    expect(entitled.map(({ name }) => name)).toEqual(expected);
  });
});
