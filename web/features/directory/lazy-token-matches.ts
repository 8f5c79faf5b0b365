import { lazyRouteComponent } from '@tanstack/react-router';

/** Loaded with the first search. If loading fails, the directory is shown without tokens. */
export const LazyTokenMatches = lazyRouteComponent(
  () => import('./token-matches.tsx').catch(() => ({ TokenMatches: () => null })),
  'TokenMatches',
);
