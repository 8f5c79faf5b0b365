import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useEffect } from 'react';
import type { AppRouter } from './router.ts';

export interface AppProps {
  queryClient: QueryClient;
  router: AppRouter;
  onHydrated?: (() => Promise<void>) | undefined;
}

/** The whole app. The server and the browser must render the same elements, or hydration fails. */
export function App({ queryClient, router, onHydrated }: AppProps) {
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <AfterHydration run={onHydrated} />
      </QueryClientProvider>
    </StrictMode>
  );
}

function AfterHydration({ run }: { run: AppProps['onHydrated'] }) {
  useEffect(() => void run?.(), [run]);
  return null;
}
