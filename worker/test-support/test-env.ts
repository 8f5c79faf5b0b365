import type { D1Migration } from 'cloudflare:test';
import type { Bindings } from '../app/env.ts';

/** A tested worker's bindings: the product's, and those that control its local world. */
export interface TestEnv extends Bindings {
  readonly TEST_MIGRATIONS: D1Migration[];
  /** The platform wallet's secret key: its bytes as decimals, with commas. */
  readonly TEST_PLATFORM_SECRET: string;
  /** Secret key of the mint authority of the local tokens, in the same form. */
  readonly TEST_ISSUER_SECRET: string;
  readonly TEST_CONTROL_URL: string;
  readonly TEST_CLOCK_URL: string;
  readonly TELEGRAM_API_URL: string;
  readonly TELEGRAM_LINK_URL: string;
  readonly TELEGRAM_BOT_USERNAME: string;
  readonly TELEGRAM_BOT_TOKEN: string;
  readonly TELEGRAM_WEBHOOK_SECRET: string;
  readonly SOLANA_RPC_URL: string;
  readonly SOLANA_FALLBACK_RPC_URL: string;
  readonly SOLANA_GENESIS_HASH: string;
  readonly EXPLORER_TX_URL: string;
  readonly PLATFORM_WALLET: string;
  readonly X_API_URL: string;
  readonly X_PICTURES_URL: string;
  readonly X_TOKENS_KEY: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** True in `npm run test:deep`: randomised tests play more rounds. */
    isDeep: boolean;
  }
}
