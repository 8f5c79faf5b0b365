import { vi } from 'vitest';
import { X_TOKEN_TIMEOUT_MS } from '#schema/constants/public.ts';

type Respond = (send: () => Promise<Response>) => Promise<Response>;

/** Mocks requests to X whose URL ends with `suffix` until the test ends. `send` sends the real request. */
export function interceptX(suffix: string, respond: Respond): void {
  const { fetch } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const send = () => fetch(input, init);
    return String(input instanceof Request ? input.url : input).endsWith(suffix) ? respond(send) : send();
  });
}

/** Makes these requests to X time out after 1 ms until the test ends. */
export function hangCalls(suffix: '/oauth2/token' | '/oauth2/revoke'): void {
  const { setTimeout } = globalThis;
  interceptX(suffix, () => new Promise(() => undefined));
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((handler: () => void, ms?: number) =>
    setTimeout(handler, ms === X_TOKEN_TIMEOUT_MS ? 1 : ms)) as typeof setTimeout);
}
