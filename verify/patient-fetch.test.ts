import { afterEach, expect, it, vi } from 'vitest';
import { fetchPatiently } from './patient-fetch.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each(['99999999', 'Wed, 21 Oct 2026 07:28:00 GMT'])(
  'fetchPatiently gives up after five retries within six minutes if Retry-After is %s',
  async (value) => {
    vi.useFakeTimers();
    const fetch = vi.fn(async () => new Response('', { status: 429, headers: { 'Retry-After': value } }));
    vi.stubGlobal('fetch', fetch);
    const startedAt = Date.now();
    const response = fetchPatiently('https://calls.example/');
    await vi.runAllTimersAsync();
    expect((await response).status).toBe(429);
    expect(fetch).toHaveBeenCalledTimes(6);
    expect(Date.now() - startedAt).toBeGreaterThan(30_000);
    expect(Date.now() - startedAt).toBeLessThan(6 * 60_000);
  },
);
