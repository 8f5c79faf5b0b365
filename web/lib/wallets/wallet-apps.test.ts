import { describe, expect, it } from 'vitest';
import { isMobileDevice, subscribePageUrl, walletAppUrl } from './wallet-apps.ts';

describe('links to wallet apps', () => {
  const page = subscribePageUrl('ada_b', 'https://solcallers.example');

  it.each([
    ['phantom', 'https://phantom.app/ul/browse/'],
    ['solflare', 'https://solflare.com/ul/v1/browse/'],
    ['backpack', 'https://backpack.app/ul/v1/browse/'],
  ])('the link that opens a page in the app of %s has the documented form', (id, base) => {
    expect(walletAppUrl(id, page)).toBe(
      `${base}https%3A%2F%2Fsolcallers.example%2Fcaller%2Fada_b%23subscribe?ref=https%3A%2F%2Fsolcallers.example`,
    );
  });

  it('the link that opens a page in a wallet’s app encodes the page’s query', () => {
    const link = new URL(walletAppUrl('phantom', 'https://solcallers.example/?search=a&b#c') ?? '');
    expect([...link.searchParams.keys()]).toEqual(['ref']);
    expect(decodeURIComponent(link.pathname)).toBe('/ul/browse/https://solcallers.example/?search=a&b#c');
  });

  it('the link that opens a page in a wallet’s app is null if the app has no such link', () => {
    expect(walletAppUrl('coinbase-wallet', page)).toBeNull();
  });
});

it.each([
  ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Safari/604.1', 5, true],
  ['an iPad that says it is a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1', 5, true],
  ['an Android phone', 'Mozilla/5.0 (Linux; Android 16; Pixel 7) Chrome/142.0 Mobile Safari/537.36', 5, true],
  ['a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/142.0', 0, false],
  ['a PC with a touch screen', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0', 10, false],
])('isMobileDevice for $0 is $3', (_what, userAgent, maxTouchPoints, expected) => {
  expect(isMobileDevice({ userAgent, maxTouchPoints })).toBe(expected);
});
