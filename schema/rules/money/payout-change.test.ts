import { expect, it } from 'vitest';
import { FRESH_SIGN_IN_MS } from '../../constants/people.ts';
import { mayChangePayout } from './payout-change.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const fresh = FRESH_SIGN_IN_MS - 1;
const old = FRESH_SIGN_IN_MS;

it.each<
  [what: string, from: string | null, to: string | null, signedInMs: number, may: boolean, hadOne?: boolean]
>([
  ['a first wallet', null, 'A', old, true],
  ['an unchanged wallet', 'A', 'A', old, true],
  ['no wallet before and after', null, null, old, true],
  ['another wallet', 'A', 'B', old, false],
  ['another wallet', 'A', 'B', fresh, true],
  ['the removal of a wallet', 'A', null, old, false],
  ['a new wallet after a removed one', null, 'B', old, false, true],
  ['a new wallet after a removed one', null, 'B', fresh, true, true],
  ['no wallet before and after, with one removed earlier', null, null, old, true, true],
  ['the removal of a wallet', 'A', null, fresh, true],
  ['an address that differs only in case', 'Aa', 'aA', old, false],
  ['another wallet right after a sign-in', 'A', 'B', 0, true],
  ['another wallet long after a sign-in', 'A', 'B', now, false],
])(
  'mayChangePayout for %s (%s to %s), %d ms after the sign-in, is %s',
  (_name, from, to, signedInMs, may, hadOne = false) => {
    expect(mayChangePayout({ from, to, hadOne, signedInAt: now - signedInMs, now })).toBe(may);
  },
);
