import type { Bindings } from './env.ts';
import type { Services } from './services.ts';

/** The rest of a rate limit: `r` and `t` of the header `RateLimit`. */
export interface Quota {
  readonly remaining: number;
  readonly resetSeconds: number;
}

export interface AppEnv {
  Bindings: Bindings;
  Variables: {
    services: Services;
    /** The id of the user who sees the response. Null for an anonymous visitor, here and wherever a `viewerId` goes. */
    viewerId: string | null;
    /** True if a later response may be more complete, so caches store this one only briefly. Set by a handler. */
    isProvisional?: boolean;
    isRenderedPage?: boolean;
    /** Why a page has no content, although its response isn't an error. */
    pageError?: unknown;
    hasSignedIn?: boolean;
    quota?: Quota;
  };
}
