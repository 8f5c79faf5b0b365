import { describe, expect, it } from 'vitest';
import { decideEntitlement, type Entitlement } from './entitlement.ts';
import type { Period } from './subscription.ts';

const NOW = 1_000_000;
const periods = {
  none: [],
  running: [{ startsAt: NOW - 10, endsAt: NOW + 10 }],
  'in its last millisecond': [{ startsAt: NOW - 10, endsAt: NOW + 1 }],
  'ending now': [{ startsAt: NOW - 10, endsAt: NOW }],
  lapsed: [{ startsAt: NOW - 20, endsAt: NOW - 10 }],
  'to come': [{ startsAt: NOW + 10, endsAt: NOW + 20 }],
  open: [{ startsAt: NOW - 10, endsAt: null }],
  'lapsed and running': [
    { startsAt: NOW - 20, endsAt: NOW - 10 },
    { startsAt: NOW - 10, endsAt: NOW + 10 },
  ],
} satisfies Record<string, readonly Period[]>;
const paying = new Set(['running', 'in its last millisecond', 'lapsed and running']);

describe('decideEntitlement', () => {
  const rows = ['anonymous', 'owner', 'other'].flatMap((viewer) => [true, false].flatMap((isFree) => Object.entries(periods).map(([name, held]) => [viewer, isFree, name, held] as const)));

  it.each(rows)('%s, free %s, period %s', (viewer, isFree, name, held) => {
    const because = ((): Entitlement['because'] => {
      if (viewer === 'anonymous') return 'anonymous';
      if (viewer === 'owner') return 'owner';
      if (isFree) return 'free';
      return paying.has(name) ? 'subscribed' : 'not_subscribed';
    })();
    const viewerId = { anonymous: null, owner: 'caller', other: 'viewer' }[viewer] ?? null;
    const decision = decideEntitlement({ viewerId, callerId: 'caller', isFree, periods: held, now: NOW });
    expect(decision).toEqual({ isEntitled: !['anonymous', 'not_subscribed'].includes(because), because });
  });
});
