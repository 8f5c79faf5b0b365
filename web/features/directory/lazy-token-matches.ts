import { lazyRouteComponent } from '@tanstack/react-router';

/**
 * Loaded with the first search, because the first screen has no tokens. If loading fails, the directory is shown without
 * tokens.
 */
export const LazyTokenMatches = lazyRouteComponent(
  () => import('./token-matches.tsx').catch(() => ({ TokenMatches: () => null })),
  'TokenMatches',
);
