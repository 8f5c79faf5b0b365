import { createRoot } from 'react-dom/client';
import { readFirstPage } from './api/first-page.ts';
import { createQueryClient } from './api/query-client.ts';
import { App } from './app.tsx';
import { hydratePage } from './hydrate-page.tsx';
import { watchChunkErrors } from './lib/chunk-errors.ts';
import { repeatEarlyInput } from './lib/early-events.ts';
import { showPersonalParts } from './lib/use-settled.ts';
import { closeSignInTab } from './lib/sign-in-tab.ts';
import { createAppRouter } from './router.ts';

closeSignInTab();
watchChunkErrors();

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no #root.');

const queryClient = createQueryClient();
const router = createAppRouter(queryClient);
const page = readFirstPage();

if (page !== null) void hydratePage({ container, page, queryClient, router });
else {
  showPersonalParts();
  const app = <App queryClient={queryClient} router={router} onHydrated={repeatEarlyInput} />;
  createRoot(container).render(app);
}
