import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { TokenCalls } from '#schema/contracts/calls.ts';
import type { TokenLookup } from '#schema/contracts/prices.ts';
import { wif } from '#web/testing/dashboard-samples.ts';
import { refuse, type FakeRoutes } from '#web/testing/fake-api.ts';
import { sectionOf } from '#web/testing/find-in-page.ts';
import { openApp } from '#web/testing/render-app.tsx';
import { activeCall, adaListed, tokenCalls } from '#web/testing/samples.ts';

const { mint } = tokenCalls;
const token: TokenCalls = {
  ...tokenCalls,
  points: [{ at: '2026-11-18T16:00:00.000Z', price: '0.000025' }],
};
const lookup: TokenLookup = {
  ...wif,
  mint,
  symbol: 'BONK',
  name: 'Bonk',
  liquidityUsd: 1_000,
};

function open(response: unknown, routes: FakeRoutes = {}) {
  return openApp(`/token/${mint}`, {
    [`GET /api/tokens/${mint}/calls`]: response,
    [`GET /api/tokens/${mint}`]: lookup,
    ...routes,
  });
}

it('a token’s page shows its first caller with the result, and lists the ended calls', async () => {
  open(token);
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Bonk BONK');
  expect(document.title).toContain('BONK calls');
  expect(screen.getByText(/^First call that has ended/).textContent).toMatch(
    /^First call that has ended: Ada Byron, Nov 18, 2026, \+50\.0%$/,
  );
  expect(sectionOf('1 ended call').textContent).toMatch(
    /^1 ended callAda Byron Nov 18, 2026 .+ → .+\+50\.0%$/,
  );
  expect(sectionOf('1 ended call').textContent).not.toContain('BONK');
  expect(screen.getByRole('figure', { name: 'Price of BONK while calls were open' })).toBeTruthy();
  expect(screen.queryByText('Active Calls')).toBeNull();
});

it('a token’s page shows the token’s safety, and that a call on the token would be unranked', async () => {
  open(token);
  const safety = await screen.findByText('Liquidity');
  expect(within(safety.closest('section') as HTMLElement).getByText('$1,000')).toBeTruthy();
  expect(screen.getByText("A call on this token won't be ranked now")).toBeTruthy();
});

it('a token’s page shows active calls to viewers with access', async () => {
  open({ ...token, ended: [], first: null, points: [], active: [{ ...activeCall, tokenMint: mint }] });
  const card = (await screen.findByRole('heading', { name: 'Active Calls' })).closest('section');
  expect(card?.textContent).toContain('Ada Byron');
  expect(screen.queryByText(/First call that has ended/)).toBeNull();
});

it('the page of an unknown token says that the token is unknown, and requests no metadata', async () => {
  const { calls } = open(() => refuse(404, 'tokens.not_found', 'x'));
  expect(await screen.findByRole('heading', { level: 1, name: 'Token Not Found' })).toBeTruthy();
  expect(calls.filter(({ route }) => route === `GET /api/tokens/${mint}`)).toEqual([]);
});

it('the directory’s search links to tokens', async () => {
  openApp('/?search=bonk', {
    'GET /api/callers': [adaListed],
    'GET /api/tokens/called': [{ mint, symbol: 'BONK', name: 'Bonk', logoURI: null }],
  });
  const tokens = await screen.findByRole('navigation', { name: 'Tokens' });
  expect(within(tokens).getByRole('link').getAttribute('href')).toBe(`/token/${mint}`);
});
