import type { D1Migration } from 'cloudflare:test';
import type { Bindings, Vars } from '../app/env.ts';

type TextVars = Readonly<Record<Exclude<keyof Vars, 'rpcUrls'>, string>>;

/** The product's bindings and variables, and those that control the local environment. */
export interface TestEnv extends Bindings, TextVars {
  readonly TEST_MIGRATIONS: D1Migration[];
  /** The platform wallet's secret key, as decimal bytes separated by commas. */
  readonly TEST_PLATFORM_SECRET: string;
  /** The secret key of the local tokens' mint authority, in the same format. */
  readonly TEST_ISSUER_SECRET: string;
  readonly TEST_CONTROL_URL: string;
  readonly TEST_CLOCK_URL: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** True in `npm run test:deep`, where randomised tests run longer. */
    isDeep: boolean;
  }
}
