import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_FRESH_PRICE_AGE_MS } from '#schema/constants.ts';
import { CurrentPrice } from './current-price.tsx';

const ago = (ms: number) => ({ price: '2', at: new Date(Date.now() - ms).toISOString() });
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00.000Z') });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('CurrentPrice', () => {
  it('is a plain price while it is fresh', () => {
    const { container } = render(<CurrentPrice price={ago(MAX_FRESH_PRICE_AGE_MS)} />);
    expect(container.textContent).toBe('2.0000');
    expect(container.querySelector('.text-text-muted')).toBeNull();
  });

  it('is muted and says how old it is from the moment it is stale, and grows old', () => {
    const { container } = render(<CurrentPrice price={ago(0)} />);
    pass(MAX_FRESH_PRICE_AGE_MS);
    expect(container.textContent).toBe('2.0000');
    pass(2);
    expect(container.textContent).toBe('2.0000 1m old');
    expect(container.querySelector('.font-mono')?.className).toContain('text-text-muted');
    expect(container.firstElementChild?.getAttribute('title')).toMatch(/^Last price: November 20, 2026/);
    pass(3 * 60_000);
    expect(container.textContent).toBe('2.0000 4m old');
  });

  it('is never fresh where it was stale when it came', () => {
    render(<CurrentPrice price={ago(0)} />);
    // The page's own clock ticks every half minute: between two ticks it is behind.
    pass(25_000);
    expect(render(<CurrentPrice price={ago(MAX_FRESH_PRICE_AGE_MS + 1)} />).container.textContent).toBe(
      '2.0000 1m old',
    );
  });

  it('is fresh again with a new price', () => {
    const { container, rerender } = render(<CurrentPrice price={ago(180_000)} />);
    expect(screen.getByText('3m old')).toBeDefined();
    rerender(<CurrentPrice price={{ ...ago(0), price: '3' }} />);
    expect(container.textContent).toBe('3.0000');
  });

  it('is a dash without one', () => {
    expect(render(<CurrentPrice price={undefined} />).container.textContent).toBe('–');
  });
});
