import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { CallRows } from './call-rows.tsx';
import { activeCall, BONK } from './dashboard-test-data.ts';

afterEach(cleanup);

it.each([
  ['0.00999', '0.00999000'],
  ['0.01', '0.0100'],
  ['12.345678', '12.3457'],
])('shows the price %s on the dashboard as %s', (price, text) => {
  renderScreen(<CallRows label="Active Calls" calls={[{ ...activeCall, entryPrice: price }]} prices={{ [BONK]: { price, at: '', source: 'jupiter' } }} />);
  const row = within(screen.getByRole('listitem'));
  expect(row.getByText('Entry').nextElementSibling?.textContent).toBe(text);
  expect(row.getByText('Now').nextElementSibling?.textContent).toBe(text);
});
