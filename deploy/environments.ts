import { join } from 'node:path';
import { unstable_readConfig, type Unstable_Config } from 'wrangler';
import { root } from '#dev/settings.ts';

export const ENVIRONMENTS = ['staging', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export const CONFIG = join(root, 'wrangler.toml');

/** Reads wrangler.toml; without an environment, the local environment's settings. */
export function readConfig(environment?: Environment): Unstable_Config {
  return unstable_readConfig(
    { config: CONFIG, ...(environment && { env: environment }) },
    { hideWarnings: true },
  );
}
