import { waitUntil } from 'cloudflare:workers';
import type { Lifetime } from '../ports/lifetime.ts';

/** A request's life in the Workers runtime: what it waits for may go on for half a minute after it. */
export const requestLifetime: Lifetime = {
  keepAlive: (work) => waitUntil(work.catch(() => undefined)),
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};
