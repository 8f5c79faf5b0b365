import { createFileRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';

// The condition is written out where it is used: the build puts its mode in, and leaves out what can then never run.
export const Route = createFileRoute('/test-dashboard')({
  // The plugin would make a chunk of its own in every build.
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
