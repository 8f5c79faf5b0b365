import type { Bindings } from './env.ts';
import type { Services } from './services.ts';

/**
 * What every handler finds in its context. `viewerId` is the signed-in user or `null`. A handler sets `isProvisional` for
 * an answer that another time may be better, so that it is not kept for long.
 */
export interface AppEnv {
  Bindings: Bindings;
  Variables: { services: Services; viewerId: string | null; isProvisional?: boolean };
}
