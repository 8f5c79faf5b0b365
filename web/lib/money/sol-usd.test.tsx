import { act, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { MAX_SOL_PRICE_AGE_MS } from '#schema/constants/money.ts';
import { POLL_MS } from '#schema/constants/web.ts';
import { refuse, stubApi } from '#web/testing/fake-api.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { SolUsd } from './sol-usd.tsx';

const at = '2026-11-20T10:00:00.000Z';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.setSystemTime(at);
});

function open(price: string | null, props: Partial<Parameters<typeof SolUsd>[0]> = {}) {
  const calls = stubApi({
    'GET /api/prices/sol': { sol: price === null ? null : { price, at, source: 'jupiter' } },
  });
  renderScreen(
    <p data-testid="fee">
      <SolUsd sol="0.5" {...props} />
      <SolUsd sol="2" {...props} />
    </p>,
  );
  return calls;
}
const fee = () => screen.getByTestId('fee');

it('all amounts in SOL on a page share one price request, which is repeated every minute', async () => {
  const calls = open('150');
  await screen.findByText('≈ $75.00');
  expect(fee().textContent).toBe('≈ $75.00≈ $300.00');
  expect(calls).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(POLL_MS.solPrice));
  expect(calls).toHaveLength(2);
});

it('the dollars beside an amount that was paid earlier are marked as “today”', async () => {
  open('150', { isPast: true });
  await screen.findByText('≈ $75.00 today');
});

it('the line for dollars has the same height without a price of SOL', async () => {
  open(null);
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(fee().textContent).toBe('');
  expect([...fee().children].map(({ className }) => className.includes('min-h-4'))).toEqual([true, true]);
});

it('the dollars beside an amount in SOL disappear once the price is too old', async () => {
  open('150');
  await screen.findByText('≈ $75.00');
  stubApi({ 'GET /api/prices/sol': () => refuse(503, 'prices.unavailable', 'No price.') });
  await act(() => vi.advanceTimersByTimeAsync(MAX_SOL_PRICE_AGE_MS + POLL_MS.solPrice));
  expect(fee().textContent).toBe('');
});

it.each([null, '0', 'Not a fee'])(
  'the amount %j in SOL is shown without dollars, and no price is requested',
  async (sol) => {
    const calls = open('150', { sol });
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(fee().children).toHaveLength(0);
    expect(calls.map(({ route }) => route)).not.toContain('GET /api/prices/sol');
  },
);
