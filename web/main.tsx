import { readFirstPage } from './api/first-page.ts';
import { createQueryClient } from './api/query-client.ts';
import { App } from './app.tsx';
import { hydratePage } from './hydrate-page.tsx';
import { watchChunkErrors } from './lib/chunk-errors.ts';
import { nextTask } from './lib/next-task.ts';
import { showPersonalParts } from './lib/use-settled.ts';
import { closeSignInTab } from './lib/sign-in-tab.ts';
import { createAppRouter } from './router.ts';

closeSignInTab();
watchChunkErrors();

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no #root.');

const page = readFirstPage();

/** Starts the app in several tasks, so that a slow phone can paint and handle input in between. */
async function start(element: HTMLElement): Promise<void> {
  if (page !== null) await nextTask();
  const queryClient = createQueryClient();
  const router = createAppRouter(queryClient);
  if (page !== null) {
    await nextTask();
    await hydratePage({ container: element, page, queryClient, router });
    return;
  }
  showPersonalParts();
  const { createRoot } = await import('react-dom/client');
  createRoot(element).render(<App queryClient={queryClient} router={router} />);
  window.earlyEvents = null;
}

void start(container);
