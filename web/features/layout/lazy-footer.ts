import { lazyRouteComponent } from '@tanstack/react-router';

/**
 * Loaded after the first screen. The server's HTML has the footer already (entry-server.tsx), and stays as it is until then,
 * or if loading fails.
 */
export const LazyFooter = lazyRouteComponent(
  () => import('./footer.tsx').catch(() => new Promise<never>(() => undefined)),
  'Footer',
);
