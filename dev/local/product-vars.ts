import { PUSH_SERVICES } from '#schema/constants/messages.ts';
import { LOCAL_RECEIVERS } from '../stand-ins/webhooks/local-receiver.ts';
import type { Chain } from '../stand-ins/chain/chain.ts';
import { LOCAL_JUPITER_KEYS } from '../stand-ins/jupiter/plans.ts';
import { keypairFrom } from '../seed/fixtures.ts';
import { localOperator } from './local-operator.ts';
import { localBot, localBotToken, localWebhookSecret } from '../stand-ins/telegram/local-bot.ts';
import { localLogName, localLogSeed, localWitnessKey } from '../witness/local-witness.ts';
import type { EnvironmentUrls } from './environment.ts';

/** The wallet that receives the platform's commission in the local environment. */
export const platformKeypair = keypairFrom('platform');
export const platformAddress = platformKeypair.publicKey.toBase58();

/** The wallet that pays for the log's anchors in the local environment. */
export const anchorKeypair = keypairFrom('log anchors');
/** Enough for years of anchors. */
export const ANCHOR_LAMPORTS = 10_000_000_000n;

/** Identifies the local environment to push services. */
const LOCAL_VAPID_KEY =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgdunhrLOzYPRqkwnQkAL9Itg5jNiMcFYcVF9DXITgzHOh' +
  'RANCAAQ3gZaA0jc10tVLUXuvjFX5t87chnKIhhK/wgjcvkm+d/VOcL9pcTpXFEH/vnNml9LCz7cqsu8oacMuNbdhb3TM';

interface ProductVarsOptions {
  productUrl: string;
  environment: EnvironmentUrls & { readonly chain: Pick<Chain, 'genesisHash'> };
}

/**
 * Returns the worker's variables in the local environment. They have production's names, but other base URLs and
 * another cluster.
 */
export function productVars({ productUrl, environment }: ProductVarsOptions): Record<string, string> {
  const { standInsUrl } = environment;
  return {
    APP_ORIGIN: productUrl,
    X_AUTHORIZE_URL: `${standInsUrl}/x/i/oauth2/authorize`,
    X_API_URL: `${standInsUrl}/x`,
    X_AVATARS_URL: `${standInsUrl}/x/pictures`,
    X_CLIENT_ID: 'local-client',
    X_CLIENT_SECRET: 'local-client-secret',
    X_TOKENS_KEY: Buffer.alloc(32, 'local-tokens-key').toString('base64'),
    X_IDS_KEY: Buffer.alloc(32, 'local-ids-key').toString('base64'),
    LOG_ORIGIN: localLogName,
    LOG_PRIVATE_KEY: localLogSeed.toString('base64'),
    LOG_ANCHOR_KEY: Buffer.from(anchorKeypair.secretKey.subarray(0, 32)).toString('base64'),
    LOG_WITNESSES: `${localWitnessKey} ${standInsUrl}/witness`,
    SOLANA_RPC_URL: environment.solanaUrl,
    SOLANA_FALLBACK_RPC_URL: environment.solanaFallbackUrl,
    SOLANA_GENESIS_HASH: environment.chain.genesisHash,
    EXPLORER_TX_URL: `https://explorer.solana.com/tx/{signature}?cluster=custom&customUrl=${encodeURIComponent(environment.solanaUrl)}`,
    PLATFORM_WALLET: platformAddress,
    JUPITER_URL: `${standInsUrl}/jupiter`,
    JUPITER_API_KEY: LOCAL_JUPITER_KEYS.developer,
    JUPITER_REQUESTS_PER_SECOND: '10',
    DEXSCREENER_URL: `${standInsUrl}/dexscreener`,
    TELEGRAM_API_URL: `${standInsUrl}/telegram`,
    TELEGRAM_LINK_URL: `${standInsUrl}/telegram`,
    TELEGRAM_BOT_USERNAME: localBot.username,
    TELEGRAM_BOT_TOKEN: localBotToken,
    TELEGRAM_WEBHOOK_SECRET: localWebhookSecret,
    VAPID_KEY: LOCAL_VAPID_KEY,
    PUSH_SERVICES: [new URL(standInsUrl).origin, ...PUSH_SERVICES].join(),
    WEBHOOK_LOCAL_ORIGINS: [new URL(standInsUrl).origin, ...LOCAL_RECEIVERS].join(),
    OPERATOR_X_IDS: localOperator.xUserId,
    SECURITY_CONTACT: 'mailto:security@solcallers.example',
    OPERATORS_TOKEN: localOperator.token,
  };
}
