import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { THESIS_MAX_LENGTH } from '#schema/constants/market.ts';
import { MICRO_CAP_USD, RISKY_TOP_HOLDERS_PERCENT } from '#schema/constants/prices.ts';
import { HOUR_MS } from '#schema/constants/time.ts';
import { STABLE_COIN_MINTS } from '#schema/rules/calls/stable-coin-mints.ts';
import type { TokenLookup } from '#schema/contracts/prices.ts';
import type { TokenSafety } from '#schema/rules/prices/token-safety.ts';
import { refuse } from '#web/testing/fake-api.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { activeCall, BONK, caller, WIF, wif } from '#web/testing/dashboard-samples.ts';
import { FoundToken } from './make-call-card.tsx';

const CREATE = 'POST /api/token-calls';

function show(token: Partial<TokenLookup> = {}, response: unknown = activeCall) {
  const onCalled = vi.fn();
  const found = (next: Partial<TokenLookup>) => (
    <FoundToken
      token={{ ...wif, at: new Date().toISOString(), ...next }}
      callerId={caller.id}
      activeCall={null}
      onCalled={onCalled}
    />
  );
  const { bodies, rerender } = renderScreen(found(token), { api: { [CREATE]: response } });
  return { bodies, onCalled, rerender: (next: Partial<TokenLookup>) => rerender(found(next)) };
}

function fact(list: 'Market' | 'Safety', label: string): string | null | undefined {
  const terms = [...document.querySelectorAll(`dl[aria-label="${list}"] dt`)];
  return terms.find((term) => term.textContent === label)?.nextElementSibling?.textContent;
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const makeCall = () => fireEvent.click(screen.getByRole('button', { name: 'Make Call' }));
const errorOf = (label: string) => document.getElementById(`${field(label).id}-error`)?.textContent;

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const unreported = { liquidityUsd: null, volume24hUsd: null, createdAt: null, holderCount: null };
it.each<[string, Partial<TokenLookup>, Record<string, string>]>([
  [
    'of a token that has traded for a few hours',
    { createdAt: ago(3 * HOUR_MS) },
    {
      Price: '2.5000',
      Liquidity: '$1,234,568',
      'Trading for': '3h',
      Holders: '201,345',
      Checked: 'Just now',
    },
  ],
  ['of an old token', { createdAt: '2023-11-20T10:00:00.000Z' }, { 'Trading since': 'Nov 20, 2023' }],
  ['with the age of an outdated price', { at: ago(180_000) }, { Price: '2.5000 3m old' }],
  [
    'that no source reports',
    unreported,
    { Liquidity: 'Unknown', 'Trading for': 'Unknown', Holders: 'Unknown' },
  ],
])('the card of a found token shows the mint and the market figures %s', (_what, token, facts) => {
  show(token);
  expect(screen.getByTitle(WIF).textContent).toBe(WIF);
  const shown = Object.keys(facts).map((label) => [label, fact('Market', label)]);
  expect(Object.fromEntries(shown)).toEqual(facts);
});

it.each<[string, Partial<TokenSafety>, string, boolean]>([
  ['Mint authority', { isMintAuthorityDisabled: true }, 'Disabled', false],
  ['Mint authority', { isMintAuthorityDisabled: false }, 'Risk: Active, more tokens can be minted', true],
  ['Freeze authority', { isFreezeAuthorityDisabled: true }, 'Disabled', false],
  ['Freeze authority', { isFreezeAuthorityDisabled: false }, 'Risk: Active, wallets can be frozen', true],
  ['Top holders', { topHoldersPercent: RISKY_TOP_HOLDERS_PERCENT - 0.1 }, '49.9% of supply', false],
  ['Top holders', { topHoldersPercent: RISKY_TOP_HOLDERS_PERCENT }, 'Risk: 50.0% of supply', true],
  ['Suspicious', { isSuspicious: true }, 'Risk: Yes, flagged by a source', true],
  ['Suspicious', { isSuspicious: false }, 'No', false],
  ['Verified', { isVerified: true }, 'Yes', false],
  ['Verified', { isVerified: false }, 'Risk: No', true],
  ['Mint authority', { isMintAuthorityDisabled: null }, 'Unknown', false],
  ['Freeze authority', { isFreezeAuthorityDisabled: null }, 'Unknown', false],
  ['Top holders', { topHoldersPercent: null }, 'Unknown', false],
  ['Suspicious', { isSuspicious: null }, 'Unknown', false],
  ['Verified', { isVerified: null }, 'Unknown', false],
])('the card of a found token has the row %s, which says for %j: "%s"', (label, safety, words, isRisky) => {
  show({ safety: { ...wif.safety, ...safety } });
  expect(fact('Safety', label)).toBe(words);
  const term = screen.getByText(label, { selector: 'dt' });
  expect(term.nextElementSibling?.className.includes('text-warn')).toBe(isRisky);
  if (words !== 'Unknown') expect(term.nextElementSibling?.querySelector('svg')).not.toBeNull();
});

it.each<[string, Partial<TokenLookup>, string | null]>([
  ['too little liquidity', { liquidityUsd: MICRO_CAP_USD - 1 }, 'The token is a micro-cap'],
  ['unknown liquidity', { liquidityUsd: null }, 'The token is a micro-cap'],
  ['too little volume', { volume24hUsd: MICRO_CAP_USD - 1 }, 'The token is a micro-cap'],
  ['a stablecoin', { mint: STABLE_COIN_MINTS[0] ?? '' }, 'The token is a stablecoin'],
  ['the minimum liquidity', { liquidityUsd: MICRO_CAP_USD }, null],
  ['no price', { price: null, liquidityUsd: 1 }, null],
])('the note on ranking for a found token with %s (%j) is: %s', (_what, token, reason) => {
  show(token);
  const note = screen.queryByRole('note');
  expect(note?.textContent ?? null).toEqual(reason && expect.stringContaining(reason));
  if (reason !== null) within(note as HTMLElement).getByText("This call won't be ranked");
  screen.getByRole('button', { name: 'Make Call' });
});

it('the card of a found token warns about a better-known look-alike, with its mint and liquidity', () => {
  show({
    lookAlikes: [{ mint: BONK, symbol: 'WIF', name: 'dogwifhat', liquidityUsd: 9_000_000, isVerified: true }],
  });
  const note = within(screen.getByRole('note'));
  for (const text of ['A better-known token looks like this one', BONK]) note.getByText(text);
  note.getByRole('button', { name: 'Copy token address of the other WIF' });
  expect(screen.getByRole('note').textContent).toContain('verified, $9,000,000 of liquidity');
});

it('the card of a found token warns when look-alikes could not be checked', () => {
  show({ lookAlikes: null });
  const text = "We couldn't check for look-alike tokens. Compare the address before you call.";
  const words = screen.getByText(text);
  expect(words.className).toContain('text-warn');
  expect(words.closest('[role="note"]')?.children).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Make Call' })).toBeDefined();
});

describe('the optional details of a call', () => {
  it('the optional details of a call are folded at first and posted with the call', async () => {
    const { bodies, onCalled } = show();
    const fold = screen.getByText(/^Thesis, target, stop/).closest('details');
    expect(fold?.open).toBe(false);
    expect(fold?.textContent).toContain('fixed once the call is published');
    type('Thesis', ' Hats are back. ');
    type('Target price', ' 3.5 ');
    type('Stop price', '2');
    fireEvent.click(screen.getByRole('switch', { name: 'Paid promotion' }));
    makeCall();
    await waitFor(() => expect(onCalled).toHaveBeenCalled());
    expect(bodies()).toMatchObject([
      { thesis: 'Hats are back.', targetPrice: '3.5', stopPrice: '2', isPaidPromotion: true },
    ]);
  });

  it('the call form counts the thesis’s characters and refuses a thesis that is too long', () => {
    const { bodies } = show();
    type('Thesis', 'x'.repeat(THESIS_MAX_LENGTH));
    expect(screen.getByText('500/500')).toBeDefined();
    expect(errorOf('Thesis')).toBe('');
    type('Thesis', 'x'.repeat(THESIS_MAX_LENGTH + 1));
    expect(screen.getByText('501/500')).toBeDefined();
    expect(errorOf('Thesis')).toBe('A thesis can have at most 500 characters. Shorten it.');
    makeCall();
    expect(bodies()).toEqual([]);
  });

  it('the call form shows how far a target is from the current price', () => {
    show();
    type('Target price', '3');
    expect(screen.getByText('+20.0% from the current price.')).toBeDefined();
  });

  const targetRule = 'A target must be at least 2% above the entry price, and at most 10,000 times it.';
  const stopRule = 'A stop must be at least 2% below the entry price.';
  it.each([
    ['Target price', '2.54', `${targetRule} The current price is $2.5000.`, '4'],
    ['Target price', 'moon', 'Enter a price above 0 in USD, such as 0.25.', '4'],
    ['Stop price', '2.46', `${stopRule} The current price is $2.5000.`, '2'],
    ['Stop price', '0', 'Enter a price above 0 in USD, such as 0.25.', '2'],
  ])('the call form refuses the %s %j and focuses its field', async (label, value, words, right) => {
    const { bodies } = show();
    type(label, value);
    expect(errorOf(label)).toBe('');
    makeCall();
    expect(errorOf(label)).toBe(words);
    expect(field(label).closest('details')?.open).toBe(true);
    await waitFor(() => expect(document.activeElement).toBe(field(label)));
    expect(bodies()).toEqual([]);
    type(label, right);
    expect(errorOf(label)).toBe('');
    type(label, value);
    fireEvent.blur(field(label));
    expect(errorOf(label)).toBe(words);
  });

  it.each([
    ['Target price', '2.6', 'calls.target_invalid', '3'],
    ['Stop price', '2.4', 'calls.stop_invalid', '2.2'],
  ])('the call form shows the server’s reason beside the %s', async (label, value, code, right) => {
    const words = `The entry price has changed. Change the ${label} or leave it empty.`;
    show({}, () => refuse(422, code, words));
    type(label, value);
    makeCall();
    await waitFor(() => expect(errorOf(label)).toBe(words));
    await waitFor(() => expect(document.activeElement).toBe(field(label)));
    type(label, right);
    expect(errorOf(label)).toBe('');
  });

  it('the call form checks a typed target against the refreshed price', () => {
    const { rerender } = show();
    type('Target price', '3');
    rerender({ price: '3.2' });
    expect(field('Target price').value).toBe('3');
    makeCall();
    expect(errorOf('Target price')).toContain('The current price is $3.2000.');
  });

  it('the call form still posts the optional details after the caller confirms a new price', async () => {
    let attempts = 0;
    const { bodies } = show({}, () =>
      attempts++ === 0 ? refuse(409, 'calls.price_moved', 'Moved.', { currentPrice: '2.8' }) : activeCall,
    );
    type('Target price', '3');
    makeCall();
    const again = await screen.findByRole('button', { name: 'Make Call at the new price' });
    expect(screen.getByText(/The price changed to/).textContent).toContain('2.8000');
    fireEvent.click(again);
    await expectToast('Token Call Created');
    expect(bodies()).toMatchObject([
      { entryPrice: '2.5', targetPrice: '3' },
      { entryPrice: '2.8', targetPrice: '3' },
    ]);
  });
});
