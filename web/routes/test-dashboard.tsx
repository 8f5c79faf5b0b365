import { createFileRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';

// Each use repeats `MODE === 'deploy'`, so that the build can replace it with a constant and drop the unused
// code.
export const Route = createFileRoute('/test-dashboard')({
  // With code splitting, the router's plugin would create a chunk for the page in every build.
  codeSplitGroupings: [],
  beforeLoad: () => {
    if (import.meta.env.MODE === 'deploy') throw notFound();
  },
  ...(import.meta.env.MODE === 'deploy'
    ? {}
    : {
        component: lazyRouteComponent(
          () => import('#web/features/test-dashboard/test-dashboard-page.tsx'),
          'TestDashboardPage',
        ),
      }),
});
