import { onlineManager } from '@tanstack/react-query';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import { SIGNED_IN_COOKIE } from '#schema/constants/people.ts';

// The long limit prevents failures on a busy machine. A wait still ends as soon as it succeeds.
configure({ asyncUtilTimeout: 10_000 });

/** A WebSocket that never opens, so that pages poll. */
class SilentWebSocket extends EventTarget {
  static readonly OPEN = 1;
  readonly readyState = 0;
  close(): void {}
  send(): void {}
}
globalThis.WebSocket = SilentWebSocket as unknown as typeof WebSocket;

/** An IntersectionObserver that never reports an element as visible. */
class SilentIntersectionObserver {
  observe(): void {}
  disconnect(): void {}
}
globalThis.IntersectionObserver = SilentIntersectionObserver as unknown as typeof IntersectionObserver;

/** Lets each test start in a browser that may be signed in. */
beforeEach(() => {
  document.cookie = `${SIGNED_IN_COOKIE}=1; Path=/`;
});

/** Resets the page, mocks and storage, so that each test starts with an empty page. */
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  sessionStorage.clear();
  localStorage.clear();
});

// Test files share modules and the window, so restore them after each file.
afterAll(() => {
  forgetConnection();
  document.title = '';
  document.head.replaceChildren();
  document.body.replaceChildren();
  for (const name of document.documentElement.getAttributeNames()) {
    document.documentElement.removeAttribute(name);
  }
  window.history.replaceState(null, '', '/');
});

/**
 * Stops everything that would send requests during the next file: checks of the connection, and payments that
 * wait for the connection.
 */
function forgetConnection(): void {
  onlineManager.setEventListener(() => undefined);
  const { listeners } = onlineManager as unknown as { readonly listeners: Set<unknown> };
  listeners.clear();
  onlineManager.setOnline(true);
}
