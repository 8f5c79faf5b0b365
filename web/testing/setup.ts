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
  // Stops the checks of the connection, which would send requests in the next file.
  onlineManager.setEventListener(() => undefined);
  onlineManager.setOnline(true);
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
