import type { Bindings } from './env.ts';
import type { Services } from './services.ts';

/** What every handler finds in its context. `viewerId` is the signed-in user or `null`. */
export interface AppEnv {
  Bindings: Bindings;
  Variables: { services: Services; viewerId: string | null };
}
