import { lazyRouteComponent } from '@tanstack/react-router';

/** Loaded on demand, because the directory begins with cards. The route loads it before it shows the table. */
export const LazyCallersTable = lazyRouteComponent(() => import('./callers-table.tsx'), 'CallersTable');
