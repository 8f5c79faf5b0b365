import { keypairFrom } from './seed/cast.ts';
import { localBot, localBotToken, localWebhookSecret } from './telegram/local-bot.ts';

/** Where the local world's platform commission goes. */
export const platformKeypair = keypairFrom('platform');
export const platformAddress = platformKeypair.publicKey.toBase58();

/** The worker's variables in the local world: the names of production with other base URLs. */
export function productVars({ productUrl, solanaUrl, standInsUrl }: { productUrl: string; solanaUrl: string; standInsUrl: string }): Record<string, string> {
  return {
    APP_ORIGIN: productUrl,
    X_AUTHORIZE_URL: `${standInsUrl}/x/i/oauth2/authorize`,
    X_API_URL: `${standInsUrl}/x`,
    X_CLIENT_ID: 'local-client',
    X_CLIENT_SECRET: 'local-client-secret',
    X_TOKENS_KEY: Buffer.alloc(32, 'local-tokens-key').toString('base64'),
    SOLANA_RPC_URL: solanaUrl,
    EXPLORER_TX_URL: `https://explorer.solana.com/tx/{signature}?cluster=custom&customUrl=${encodeURIComponent(solanaUrl)}`,
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
