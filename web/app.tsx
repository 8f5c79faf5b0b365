import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, Suspense, useEffect } from 'react';
import type { AppRouter } from './router.ts';

export interface AppProps {
  queryClient: QueryClient;
  router: AppRouter;
  onHydrated?: (() => void) | undefined;
}

/** The whole app. The server and the browser must render the same elements, or hydration fails. */
export function App({ queryClient, router, onHydrated }: AppProps) {
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
      {/** React hydrates all Suspense boundaries after the rest, in order, so this one is the last. */}
      <Suspense>
        <HydrationEnd onHydrated={onHydrated} />
      </Suspense>
    </StrictMode>
  );
}

function HydrationEnd({ onHydrated }: Pick<AppProps, 'onHydrated'>) {
  useEffect(() => onHydrated?.(), [onHydrated]);
  return null;
}
