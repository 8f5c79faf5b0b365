import { vi } from 'vitest';
import { X_TOKEN_TIMEOUT_MS } from '#schema/constants.ts';

/** From here on X answers some requests, by how their address ends, with what a test says. `vi.restoreAllMocks` ends it. */
export function interceptX(suffix: string, respond: () => Promise<Response>): void {
  const { fetch } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) =>
    (input instanceof Request ? input.url : String(input)).endsWith(suffix) ? respond() : fetch(input, init),
  );
}

/** From here on X never answers some requests about tokens, and the time that it has for it is over at once. `vi.restoreAllMocks` ends it. */
export function hangCalls(suffix: '/oauth2/token' | '/oauth2/revoke'): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  interceptX(suffix, () => new Promise(() => undefined));
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) =>
    timeout(milliseconds === X_TOKEN_TIMEOUT_MS ? 1 : milliseconds),
  );
}
