import type { Bindings } from './env.ts';
import type { Services } from './services.ts';

export interface AppEnv {
  Bindings: Bindings;
  Variables: {
    services: Services;
    /** The signed-in user's id. `null` if the visitor is signed out. */
    viewerId: string | null;
    /** True if a later response may be more complete, so caches store this one only briefly. Set by a handler. */
    isProvisional?: boolean;
    /** True if the response is a page rendered with its data. Set by a handler. */
    isRenderedPage?: boolean;
  };
}
