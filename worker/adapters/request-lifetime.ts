import { waitUntil } from 'cloudflare:workers';
import type { Lifetime } from '../ports/lifetime.ts';

/** workerd continues `keepAlive` work for up to 30 seconds after the response. */
export const requestLifetime: Lifetime = {
  keepAlive: (work) => waitUntil(work.catch(() => undefined)),
  pause: (milliseconds) => new Promise((resolve) => void setTimeout(resolve, milliseconds)),
};
