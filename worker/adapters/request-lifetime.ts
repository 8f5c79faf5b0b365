import { waitUntil } from 'cloudflare:workers';
import type { Lifetime } from '../ports/lifetime.ts';

/** workerd keeps `keepAlive` work running for up to 30 seconds after the response. */
export const requestLifetime: Lifetime = {
  keepAlive: (work) => waitUntil(work.catch(() => undefined)),
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};
