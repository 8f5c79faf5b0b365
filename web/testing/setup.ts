import { onlineManager } from '@tanstack/react-query';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';

// Waits end as soon as they succeed. A longer limit keeps tests from failing on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

// Drafts survive unmounting, so clear them between tests.
afterEach(() => sessionStorage.clear());

// Files share the modules and the window, so each file leaves them as it found them.
afterAll(() => {
  cleanup();
  forgetConnection();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
  document.title = '';
  document.head.replaceChildren();
  document.body.replaceChildren();
  for (const name of document.documentElement.getAttributeNames()) {
    document.documentElement.removeAttribute(name);
  }
  window.history.replaceState(null, '', '/');
});

/** Stops what would send requests in the next file: checks of the connection, and payments that wait for it. */
function forgetConnection(): void {
  onlineManager.setEventListener(() => undefined);
  const { listeners } = onlineManager as unknown as { readonly listeners: Set<unknown> };
  listeners.clear();
  onlineManager.setOnline(true);
}
