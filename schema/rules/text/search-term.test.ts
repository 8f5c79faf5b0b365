import { expect, it } from 'vitest';
import { readSearchTerm } from './search-term.ts';

const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';
const SIGNATURE = '5'.repeat(88);
const ID = '0b9d2a1c000000000001';

it.each([
  ['@amara_calls', '@amara_calls'],
  ['https://x.com/amara_calls', '@amara_calls'],
  ['x.com/amara_calls?s=21', '@amara_calls'],
  [' https://www.x.com/amara_calls/ ', '@amara_calls'],
  ['https://twitter.com/Amara_Calls/status/1900000000000000001', '@Amara_Calls'],
  ['HTTPS://mobile.twitter.com/amara_calls', '@amara_calls'],
  ['https://x.com/@amara_calls', 'https://x.com/@amara_calls'],
  ['https://x.com/home', 'https://x.com/home'],
  ['https://x.com/i/status/1', 'https://x.com/i/status/1'],
  ['https://x.com.example/amara_calls', 'https://x.com.example/amara_calls'],
  ['https://solcallers.example/caller/amara_calls', '@amara_calls'],
  ['http://localhost:8787/caller/@amara_calls?x=1#subscribe', '@amara_calls'],
  [`solcallers.example/caller/${ID}`, ID],
  ['/caller/@amara_calls', '@amara_calls'],
  [`/token/${WIF}`, WIF],
  ['/amara', '/amara'],
  [`https://solcallers.example/token/${WIF}`, WIF],
  [WIF, WIF],
  [`https://solscan.io/token/${WIF}#holders`, WIF],
  [`https://jup.ag/tokens/${WIF}`, WIF],
  [`https://dexscreener.com/solana/${WIF}`, WIF],
  [`https://solscan.io/tx/${SIGNATURE}`, SIGNATURE],
  [`https://explorer.solana.com/tx/${SIGNATURE}?cluster=custom&customUrl=http%3A%2F%2Flocalhost`, SIGNATURE],
  [`explorer.solana.com/address/${WIF}`, WIF],
  [`https://solscan.io/account/${WIF}#transfers`, WIF],
  [`https://solcallers.example/call/${ID}`, ID],
  ['ada', 'ada'],
  ['ada byron / amara', 'ada byron / amara'],
  ['https://example.com/caller', 'https://example.com/caller'],
  ['http://[', 'http://['],
  ['', ''],
])('readSearchTerm reads %j as %j', (text, term) => {
  expect(readSearchTerm(text)).toBe(term);
  expect(readSearchTerm(term)).toBe(term);
});
