import { describe, expect, it } from 'vitest';
import { FRESH_SIGN_IN_MS } from '../constants.ts';
import { mayChangePayout } from './payout-change.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const fresh = now - FRESH_SIGN_IN_MS + 1;
const old = now - FRESH_SIGN_IN_MS;

describe('mayChangePayout', () => {
  it.each<
    [what: string, from: string | null, to: string | null, signedInAt: number, may: boolean, hadOne?: boolean]
  >([
    ['from nowhere to a first wallet', null, 'A', old, true],
    ['from a wallet to itself', 'A', 'A', old, true],
    ['from nowhere to nowhere', null, null, old, true],
    ['from a wallet to another', 'A', 'B', old, false],
    ['from a wallet to another', 'A', 'B', fresh, true],
    ['from a wallet to nowhere', 'A', null, old, false],
    ['from nowhere, after a wallet that was removed,', null, 'B', old, false, true],
    ['from nowhere, after a wallet that was removed,', null, 'B', fresh, true, true],
    ['from nowhere to nowhere, after a wallet that was removed,', null, null, old, true, true],
    ['from a wallet to nowhere', 'A', null, fresh, true],
    ['from a wallet to one whose address differs in case alone', 'Aa', 'aA', old, false],
    ['from a wallet to another, by a sign-in of this very moment,', 'A', 'B', now, true],
    ['from a wallet to another, by a sign-in of ninety days ago,', 'A', 'B', 0, false],
  ])('decides %s (%s → %s, signed in at %d): %s', (_what, from, to, signedInAt, may, hadOne = false) => {
    expect(mayChangePayout({ from, to, hadOne, signedInAt, now })).toBe(may);
  });
});
