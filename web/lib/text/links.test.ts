import { expect, it } from 'vitest';
import { signInUrl, xProfileUrl } from './links.ts';

it.each([
  ['/', '/api/auth/twitter'],
  ['/caller/ada', '/api/auth/twitter?returnTo=%2Fcaller%2Fada'],
  ['/?sort=fee&search=a b', '/api/auth/twitter?returnTo=%2F%3Fsort%3Dfee%26search%3Da%2520b'],
  [
    '/dashboard?view=caller#payout-wallet',
    '/api/auth/twitter?returnTo=%2Fdashboard%3Fview%3Dcaller%23payout-wallet',
  ],
  ['/caller/ä', '/api/auth/twitter?returnTo=%2Fcaller%2F%25C3%25A4'],
  ['//evil.example/x', '/api/auth/twitter'],
  [`/?search=${'x'.repeat(500)}`, '/api/auth/twitter'],
])('the sign-in link of the page %s is %s', (place, url) => expect(signInUrl(place)).toBe(url));

it.each([
  ['amara_calls', 'https://x.com/amara_calls'],
  ['user-1900000000000000006', 'https://x.com/i/user/1900000000000000006'],
])('the X profile of @%s is %s', (handle, url) => expect(xProfileUrl(handle)).toBe(url));
