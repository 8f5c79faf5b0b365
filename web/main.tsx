import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query-client.ts';
import { watchChunkErrors } from './lib/chunk-errors.ts';
import { closeSignInTab } from './lib/sign-in-tab.ts';
import { createAppRouter } from './router.ts';

closeSignInTab();
watchChunkErrors();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');

const queryClient = createQueryClient();
const router = createAppRouter(queryClient);

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
