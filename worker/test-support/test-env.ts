import type { D1Migration } from 'cloudflare:test';
import type { Bindings } from '../app/env.ts';

/** The product's bindings, and bindings that control the local environment. */
export interface TestEnv extends Bindings {
  readonly TEST_MIGRATIONS: D1Migration[];
  /** The platform wallet's secret key, as decimal bytes separated by commas. */
  readonly TEST_PLATFORM_SECRET: string;
  /** The secret key of the local tokens' mint authority, in the same format. */
  readonly TEST_ISSUER_SECRET: string;
  readonly TEST_CONTROL_URL: string;
  readonly TEST_CLOCK_URL: string;
  readonly APP_ORIGIN: string;
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
  readonly JUPITER_REQUESTS_PER_SECOND: string;
  readonly X_API_URL: string;
  readonly X_AVATARS_URL: string;
  readonly X_TOKENS_KEY: string;
  readonly LOG_ORIGIN: string;
  readonly LOG_PRIVATE_KEY: string;
  readonly LOG_ANCHOR_KEY: string;
  readonly LOG_WITNESSES: string;
  readonly OPERATOR_X_IDS?: string;
  readonly OPERATORS_TOKEN?: string;
  readonly ANALYTICS_API_TOKEN?: string | undefined;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** True in `npm run test:deep`, where randomised tests run longer. */
    isDeep: boolean;
  }
}
