import { keypairFrom } from './seed/cast.ts';
import { localBot, localBotToken, localWebhookSecret } from './telegram/local-bot.ts';
import type { World } from './world.ts';

/** The wallet that receives the platform's commission in the local world. */
export const platformKeypair = keypairFrom('platform');
export const platformAddress = platformKeypair.publicKey.toBase58();

interface ProductVarsOptions {
  productUrl: string;
  world: World;
}

/**
 * Returns the worker's variables in the local world. They have production's names, but other base URLs and
 * another cluster.
 */
export function productVars({ productUrl, world }: ProductVarsOptions): Record<string, string> {
  const { standInsUrl } = world;
  return {
    APP_ORIGIN: productUrl,
    X_AUTHORIZE_URL: `${standInsUrl}/x/i/oauth2/authorize`,
    X_API_URL: `${standInsUrl}/x`,
    X_PICTURES_URL: `${standInsUrl}/x/pictures`,
    X_CLIENT_ID: 'local-client',
    X_CLIENT_SECRET: 'local-client-secret',
    X_TOKENS_KEY: Buffer.alloc(32, 'local-tokens-key').toString('base64'),
    SOLANA_RPC_URL: world.solanaUrl,
    SOLANA_FALLBACK_RPC_URL: world.solanaFallbackUrl,
    SOLANA_GENESIS_HASH: world.chain.genesisHash,
    EXPLORER_TX_URL: `https://explorer.solana.com/tx/{signature}?cluster=custom&customUrl=${encodeURIComponent(world.solanaUrl)}`,
    PLATFORM_WALLET: platformAddress,
    JUPITER_URL: `${standInsUrl}/jupiter`,
    DEXSCREENER_URL: `${standInsUrl}/dexscreener`,
    TELEGRAM_API_URL: `${standInsUrl}/telegram`,
    TELEGRAM_LINK_URL: `${standInsUrl}/telegram`,
    TELEGRAM_BOT_USERNAME: localBot.username,
    TELEGRAM_BOT_TOKEN: localBotToken,
    TELEGRAM_WEBHOOK_SECRET: localWebhookSecret,
  };
}
