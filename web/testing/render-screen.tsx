import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import type { Wallet } from '@wallet-standard/base';
import type { ReactNode } from 'react';
import { WalletProvider } from '#web/lib/wallets/wallet-context.tsx';
import { createWalletStore } from '#web/lib/wallets/wallet-store.ts';
import { fakeRegistry } from '#web/lib/wallets/wallet-test-doubles.ts';
import { type FakeRoutes, stubApi } from '#web/testing/fake-api.ts';
import { fakeStorage } from '#web/testing/fake-storage.ts';
import { createImpatientQueryClient } from '#web/testing/impatient-query-client.ts';
import { Toasts } from '#web/ui/overlays/toast.tsx';

/** Renders a component with the providers it needs and, if `api` is set, with an API. Retries have no delay. */
export function renderScreen(
  screenNode: ReactNode,
  { api, wallets = [] }: { readonly api?: FakeRoutes; readonly wallets?: readonly Wallet[] } = {},
) {
  const calls = api === undefined ? [] : stubApi(api);
  const queryClient = createImpatientQueryClient();
  const walletStore = createWalletStore({
    page: {},
    standard: fakeRegistry(...wallets),
    storage: fakeStorage(),
  });
  // The router has no routes, so that links work without loading the app's pages.
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  const wrap = (children: ReactNode) => (
    <QueryClientProvider client={queryClient}>
      <RouterContextProvider router={router as never}>
        <WalletProvider store={walletStore}>
          {children}
          <Toasts />
        </WalletProvider>
      </RouterContextProvider>
    </QueryClientProvider>
  );
  const { rerender } = render(wrap(screenNode));
  return {
    queryClient,
    walletStore,
    rerender: (next: ReactNode) => rerender(wrap(next)),
    calls,
    routes: () => calls.map(({ route }) => route),
    /** The bodies of all requests, or of the requests to one route. */
    bodies: (route?: string) =>
      calls.filter((call) => route === undefined || call.route === route).map(({ body }) => body),
  };
}

/** Waits for a toast. An urgent one is in the page twice: once visible, once for screen readers. */
export async function expectToast(title: string, description?: string | RegExp): Promise<void> {
  await screen.findAllByText(title);
  if (description !== undefined) await screen.findAllByText(description);
}
