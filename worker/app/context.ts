import type { Bindings } from './env.ts';
import type { Services } from './services.ts';

export interface AppEnv {
  Bindings: Bindings;
  Variables: {
    services: Services;
    /** `null` if signed out. */
    viewerId: string | null;
    /** Set by a handler if a later response may be better: caches keep this one only briefly. */
    isProvisional?: boolean;
  };
}
