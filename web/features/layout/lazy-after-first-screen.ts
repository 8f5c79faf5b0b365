import { lazyRouteComponent } from '@tanstack/react-router';

/**
 * Loaded after the first screen. The server's HTML has the footer already (entry-server.tsx), and stays as it is until then,
 * or if loading fails.
 */
const loadOrWait = () => import('./after-first-screen.tsx').catch(() => new Promise<never>(() => undefined));

export const LazyAfterFirstScreen = lazyRouteComponent(loadOrWait, 'AfterFirstScreen');

export const LazyConnectionNotice = lazyRouteComponent(loadOrWait, 'ConnectionNotice');

export const LazyNotFoundPage = lazyRouteComponent(() => import('./not-found-page.tsx'), 'NotFoundPage');
