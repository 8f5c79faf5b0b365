import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { HOUR_MS } from '#schema/constants/time.ts';
import type { PayoutChange } from '#schema/contracts/wallets.ts';
import { shortenAddress } from '#schema/rules/text/format.ts';
import { textsOf } from '#web/testing/find-in-page.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { BONK, WIF } from '#web/testing/dashboard-samples.ts';
import { PayoutChanges } from './payout-changes.tsx';

const ROUTE = 'GET /api/user/payout-changes';
const at = new Date(Date.now() - 3 * HOUR_MS).toISOString();

const show = (response: unknown) => renderScreen(<PayoutChanges />, { api: { [ROUTE]: response } }).calls;
const note = () => screen.findByRole('group', { name: 'Last payout wallet change' });

it.each<[string, Omit<PayoutChange, 'at'>, readonly string[]]>([
  ['changed', { from: BONK, to: WIF }, [BONK, WIF]],
  ['removed', { from: BONK, to: null }, [BONK]],
  ['set', { from: null, to: WIF }, [WIF]],
])(
  'the note about the last payout wallet change says that it was %s, with time and addresses',
  async (what, change, addresses) => {
    show([{ ...change, at }]);
    const group = within(await note());
    expect(group.getByText(`Payout wallet ${what}`)).toBeTruthy();
    expect(group.getByText('3h ago').getAttribute('datetime')).toBe(at);
    const shown = group.getAllByTitle(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
    expect(shown.map(({ title }) => title)).toEqual(addresses);
    expect(textsOf(shown)).toEqual(addresses.map(shortenAddress));
    const copyButtons = group.getAllByRole('button', { name: /^Copy (?:previous|new) payout wallet$/ });
    expect(copyButtons).toHaveLength(addresses.length);
  },
);

it('the note about the last payout wallet change is hidden if there was no change', async () => {
  const calls = show([]);
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  expect(screen.queryByText(/Payout wallet/)).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
});
