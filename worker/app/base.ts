import { createMetrics } from '../adapters/metrics.ts';
import { createSolanaRpc } from '../adapters/solana-rpc.ts';
import { createTelegramBot, createTelegramMessenger } from '../adapters/telegram-bot.ts';
import { createTelegramChats } from '../adapters/telegram-chats.ts';
import { requestLifetime } from '../adapters/request-lifetime.ts';
import type { Clock } from '../ports/clock.ts';
import { createAlarm, createLimitedAlarm, type AlarmsOptions } from '../shared/alarms.ts';
import { createAttempts } from '../shared/attempts.ts';
import { createDatabase } from '../shared/database.ts';
import { createJobLeases } from '../shared/job-leases.ts';
import { CRON_WATCH_NAME, parseVars, SIGNATURE_PLACE, type Bindings } from './env.ts';

export type Base = ReturnType<typeof createBase>;

/** The options of a factory. A module's wiring uses this type to name the ports that other modules implement. */
export type OptionsOf<Create extends (options: never) => unknown> = Parameters<Create>[0];

interface BaseOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** Sends a text to the operators' browsers. Null if none of them has notifications on. */
  readonly notifyOperators: AlarmsOptions['channels']['browsers'];
}

export function createBase(env: Bindings, { clock, random, notifyOperators }: BaseOptions) {
  const vars = parseVars(env);
  const db = createDatabase(env.DB);
  const metrics = createMetrics(env.METRICS);
  const bot = createTelegramBot({
    apiUrl: vars.TELEGRAM_API_URL,
    token: vars.TELEGRAM_BOT_TOKEN,
    username: vars.TELEGRAM_BOT_USERNAME,
    lifetime: requestLifetime,
    clock,
  });
  const messenger = createTelegramMessenger({
    api: bot.api,
    botUrl: `${vars.TELEGRAM_LINK_URL}/${vars.TELEGRAM_BOT_USERNAME}`,
  });
  const attempts = createAttempts({ db, clock });
  const { OPERATOR_CHAT_ID: chatId } = vars;
  const alarmChannels: AlarmsOptions['channels'] = {
    telegram: async (text) => (chatId === undefined ? null : messenger.send({ chatId, text })),
    browsers: notifyOperators,
  };
  const alarm = createAlarm({
    channels: alarmChannels,
    keep: async (kept) => env.CRON_WATCH.getByName(CRON_WATCH_NAME).keepAlarm({ ...kept, at: clock.now() }),
  });
  return {
    env,
    vars,
    db,
    clock,
    metrics,
    bot,
    messenger,
    chats: createTelegramChats(bot),
    attempts,
    alarm,
    alarmChannels,
    alarmOnce: createLimitedAlarm({ attempts, alarm }),
    leases: createJobLeases({ db, clock }),
    lifetime: requestLifetime,
    explorerUrl: (signature: string) =>
      vars.EXPLORER_TX_URL.replace(SIGNATURE_PLACE, () => encodeURIComponent(signature)),
    chain: createSolanaRpc({
      urls: vars.rpcUrls,
      genesisHash: vars.SOLANA_GENESIS_HASH,
      signaturesPerRequest: vars.SOLANA_SIGNATURES_PER_REQUEST,
      clock,
      random,
      metrics,
    }),
  };
}
