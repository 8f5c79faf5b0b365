import type { Bindings } from './env.ts';
import type { Services } from './services.ts';

export interface AppEnv {
  Bindings: Bindings;
  Variables: {
    services: Services;
    /** The signed-in user, or `null`. */
    viewerId: string | null;
    /** Set by a handler: a later answer may be better, so caches keep this one only briefly. */
    isProvisional?: boolean;
  };
}
