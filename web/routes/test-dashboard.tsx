import { createFileRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';

// The condition is written out at each use, so that the build can replace it and drop the dead code.
export const Route = createFileRoute('/test-dashboard')({
  // Otherwise the router's plugin makes a chunk of the page in every build.
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
