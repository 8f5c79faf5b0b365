import { createMemoryHistory } from '@tanstack/react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { createQueryClient } from './api/query-client.ts';
import { createAppRouter } from './router.ts';

afterEach(() => void vi.unstubAllGlobals());

it.each([
  { scrolled: 0, first: true },
  { scrolled: 700, first: false },
])(
  'the router sets the first page’s scroll position after the user has scrolled $scrolled px: $first',
  ({ scrolled, first }) => {
    vi.stubGlobal('scrollY', scrolled);
    const { options, latestLocation: location } = createAppRouter(createQueryClient(), createMemoryHistory());
    const { scrollRestoration } = options;
    if (typeof scrollRestoration !== 'function') throw new Error('The router sets every scroll position.');
    expect([scrollRestoration({ location }), scrollRestoration({ location })]).toEqual([first, true]);
  },
);
