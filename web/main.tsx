import { readFirstPage } from './api/first-page.ts';
import { createQueryClient } from './api/query-client.ts';
import { App } from './app.tsx';
import { hydratePage } from './hydrate-page.tsx';
import { watchChunkErrors } from './lib/page/chunk-errors.ts';
import { nextTask } from './lib/browser/next-task.ts';
import { showPersonalParts } from './lib/page/personal-parts.ts';
import { closeSignInTab } from './lib/session/sign-in-tab.ts';
import { createAppRouter } from './router.ts';

closeSignInTab();
watchChunkErrors();

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no #root.');

const page = readFirstPage();

async function start(element: HTMLElement): Promise<void> {
  const queryClient = createQueryClient();
  const router = createAppRouter(queryClient);
  if (page !== null) {
    await nextTask();
    await hydratePage({ container: element, page, queryClient, router });
    return;
  }
  showPersonalParts();
  window.earlyClicks = null;
  const { createRoot } = await import('react-dom/client');
  createRoot(element).render(<App queryClient={queryClient} router={router} />);
}

void start(container);
