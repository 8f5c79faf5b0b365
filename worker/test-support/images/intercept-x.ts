import { vi } from 'vitest';
import { X_TOKEN_TIMEOUT_MS } from '#schema/constants/public.ts';

/** Mocks requests to X whose URL ends with `suffix` until the test ends. */
export function interceptX(suffix: string, respond: () => Promise<Response>): void {
  const { fetch } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) =>
    (input instanceof Request ? input.url : String(input)).endsWith(suffix) ? respond() : fetch(input, init),
  );
}

/** Makes these requests to X time out after 1 ms until the test ends. */
export function hangCalls(suffix: '/oauth2/token' | '/oauth2/revoke'): void {
  const { setTimeout } = globalThis;
  interceptX(suffix, () => new Promise(() => undefined));
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((handler: () => void, ms?: number) =>
    setTimeout(handler, ms === X_TOKEN_TIMEOUT_MS ? 1 : ms)) as typeof setTimeout);
}
