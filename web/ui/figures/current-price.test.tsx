import { act, render, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { MAX_FRESH_PRICE_AGE_MS } from '#schema/constants/prices.ts';
import { CurrentPrice } from './current-price.tsx';

const ago = (ms: number) => ({ price: '2', at: new Date(Date.now() - ms).toISOString() });
const advance = (ms: number) => act(() => void vi.advanceTimersByTime(ms));

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T10:00:00.000Z') });
});

it('a fresh current price is shown unmuted and without its age', () => {
  const { container } = render(<CurrentPrice price={ago(MAX_FRESH_PRICE_AGE_MS)} />);
  expect(container.textContent).toBe('2.0000');
  expect(container.querySelector('.text-text-muted')).toBeNull();
});

it('an outdated current price is muted and shows its growing age', () => {
  const { container } = render(<CurrentPrice price={ago(0)} />);
  advance(MAX_FRESH_PRICE_AGE_MS);
  expect(container.textContent).toBe('2.0000');
  advance(2);
  expect(container.textContent).toBe('2.0000 1m old');
  expect(container.querySelector('.price')?.className).toContain('text-text-muted');
  expect(container.firstElementChild?.getAttribute('title')).toMatch(/^Last price: November 20, 2026/);
  advance(3 * 60_000);
  expect(container.textContent).toBe('2.0000 4m old');
});

it('a current price that is outdated when it arrives shows its age', () => {
  render(<CurrentPrice price={ago(0)} />);
  // The price may be newer than the time of useNow, which updates every half minute.
  advance(25_000);
  expect(render(<CurrentPrice price={ago(MAX_FRESH_PRICE_AGE_MS + 1)} />).container.textContent).toBe(
    '2.0000 1m old',
  );
});

it('a current price shows no age when it replaces an outdated price', () => {
  const { container, rerender } = render(<CurrentPrice price={ago(180_000)} />);
  expect(screen.getByText('3m old')).toBeDefined();
  rerender(<CurrentPrice price={{ ...ago(0), price: '3' }} />);
  expect(container.textContent).toBe('3.0000');
});

it('a missing current price is shown as a dash', () => {
  expect(render(<CurrentPrice price={undefined} />).container.textContent).toBe('–');
});
