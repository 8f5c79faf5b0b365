import { cleanup, fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { failures } from '#web/testing/fake-api.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { solPrice } from '#web/testing/samples.ts';
import { caller } from '#web/testing/dashboard-samples.ts';
import { FeeEditor } from './fee-editor.tsx';

const ROUTE = 'PATCH /api/user/caller-profile';

function edit(monthlyFee: string | null, response: unknown = caller) {
  const shown = renderScreen(<FeeEditor monthlyFee={monthlyFee} />, { api: { [ROUTE]: response } });
  fireEvent.click(screen.getByRole('button', { name: 'Edit monthly fee' }));
  return shown;
}

const field = () => screen.getByRole<HTMLInputElement>('spinbutton');
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }));

// Specification 2.70, 4.27, 4.28, 5.11-5.13, 9.9, 9.10
it('FeeEditor begins with the current fee, or with 0.0001 for a change from Free to Paid', () => {
  edit(null);
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Free' }).checked).toBe(true);
  fireEvent.click(screen.getByRole('radio', { name: 'Paid' }));
  expect(field()).toMatchObject({ value: '0.0001', step: '0.0001', min: '0' });
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  cleanup();
  edit('1.5');
  expect(field().value).toBe('1.5');
});

it('FeeEditor focuses its form when it opens and the edit button after Escape', async () => {
  edit('1.5');
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'Paid' }));
  fireEvent.keyDown(field(), { key: 'Escape' });
  expect(document.activeElement).toBe(await screen.findByRole('button', { name: 'Edit monthly fee' }));
});

it('FeeEditor shows the value of the typed fee in dollars', async () => {
  const { calls } = renderScreen(<FeeEditor monthlyFee="1.5" />, {
    api: { 'GET /api/prices/sol': solPrice('150') },
  });
  await screen.findByText('≈ $225.00');
  fireEvent.click(screen.getByRole('button', { name: 'Edit monthly fee' }));
  await screen.findByText('≈ $225.00 a month');
  type('.25');
  await screen.findByText('≈ $37.50 a month');
  type('');
  expect(screen.queryByText(/a month/)).toBeNull();
  expect(calls).toHaveLength(1);
});

// Specification 4.27, 5.14, 8.40
it('FeeEditor sends null for Free', async () => {
  const { bodies } = edit('1.5');
  fireEvent.click(screen.getByRole('radio', { name: 'Free' }));
  save();
  await expectToast('Monthly Fee Updated', /^Your calls are free now/);
  expect(screen.queryAllByText(/pay: Free/)).toEqual([]);
  expect(bodies()).toEqual([{ monthlyFee: null }]);
});

// Specification 5.9, 5.10
it.each([
  ...['0', '0.0', '-1', ''].map((typed) => [typed, 'Monthly fee must be greater than 0 SOL'] as const),
  ['99999999', /^The monthly fee can be at most 1,000,000 SOL/] as const,
])('FeeEditor refuses the fee %o when Paid, and says why', async (typed, reason) => {
  const { bodies } = edit('1.5');
  type(typed);
  save();
  await expectToast('Invalid Fee', reason);
  expect(bodies()).toEqual([]);
});

// Specification 8.23, 8.29
it.each(failures('payments.amount_under_rent', 'Failed to update monthly fee'))(
  'FeeEditor stays open and shows %s when saving fails',
  async (_what, response, words) => {
    edit('1.5', response);
    save();
    await expectToast('Error', words);
    expect(field().value).toBe('1.5');
  },
);

it('FeeEditor restores an unsaved fee after a reload, but not after Cancel', () => {
  edit('1.5');
  type('0.7');
  cleanup();
  renderScreen(<FeeEditor monthlyFee="1.5" />);
  expect(field().value).toBe('0.7');
  // The field doesn't take the focus, because the user may be elsewhere on the page.
  expect(document.activeElement).toBe(document.body);
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  cleanup();
  edit('1.5');
  expect(field().value).toBe('1.5');
});
