import { z } from 'zod';
import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { createDexscreener } from '#worker/adapters/dexscreener.ts';
import { fetchInTime } from '#worker/adapters/fetch-json.ts';
import { createJupiter } from '#worker/adapters/jupiter.ts';
import { createSolanaRpc } from '#worker/adapters/solana-rpc.ts';
import { systemClock } from '#worker/adapters/system-clock.ts';
import { createXIdentityProvider } from '#worker/adapters/x-api.ts';
import type { Vars } from '#worker/app/env.ts';
import { RefusedByXError } from '#worker/ports/identity.ts';
import { BULK, type PriceSource } from '#worker/ports/price-source.ts';
import { describeError } from '#worker/shared/describe-error.ts';

/**
 * - `fits`: the service responded as our adapter expects.
 * - `key refused`: the service refused our key.
 * - `unexpected`: no response, or one that doesn't fit.
 * - `not checked`: the key isn't known here.
 */
export type ServiceState = 'fits' | 'key refused' | 'unexpected' | 'not checked';

export interface ServiceResult {
  readonly service: string;
  readonly state: ServiceState;
  readonly milliseconds: number;
  /** The reason if it doesn't fit. */
  readonly note: string;
}

export interface CheckedServices {
  readonly vars: Vars;
  /** The names of settings whose values aren't known here. */
  readonly unknown: readonly string[];
}

interface Check {
  readonly service: string;
  /** The settings without which it isn't checked. */
  readonly needs?: readonly string[];
  /** @throws if the response doesn't fit */
  readonly ask: () => Promise<unknown>;
}

/** Sends one reading request to each service with our own adapters. Never pays, posts or writes. */
export function checkServices(options: CheckedServices): Promise<ServiceResult[]> {
  const { unknown } = options;
  return Promise.all(
    listChecks(options).map(async ({ service, needs = [], ask }): Promise<ServiceResult> => {
      const missing = needs.filter((name) => unknown.includes(name));
      if (missing.length > 0) {
        return { service, state: 'not checked', milliseconds: 0, note: `${missing.join(', ')} is not set` };
      }
      const startedAt = performance.now();
      const failure = await ask().then(
        () => null,
        (error: unknown) => error,
      );
      const milliseconds = Math.round(performance.now() - startedAt);
      if (failure === null) return { service, state: 'fits', milliseconds, note: '' };
      // A service without a key may refuse the network.
      const state = needs.length > 0 && isKeyRefused(failure) ? 'key refused' : 'unexpected';
      return { service, state, milliseconds, note: describeError(failure) };
    }),
  );
}

/** Windows’ push service has no host that is the same for everybody, so it isn't checked. */
const PUSH_HOSTS: Readonly<Record<string, string>> = {
  'https://*.push.services.mozilla.com': 'https://updates.push.services.mozilla.com',
  'https://*.push.apple.com': 'https://web.push.apple.com',
};

function listChecks({ vars }: CheckedServices): readonly Check[] {
  const clock = systemClock;
  const x = createXIdentityProvider({ clock, vars });
  const perMinute = 60;
  const budget = { take: () => Promise.resolve(0) };
  const jupiter = createJupiter({
    baseUrl: vars.JUPITER_URL,
    apiKey: vars.JUPITER_API_KEY,
    perMinute,
    budget,
    clock,
  });
  return [
    ...Object.entries(vars.rpcUrls).map(([name, url]) => ({
      service: `Solana RPC, ${name}`,
      needs: [name === 'primary' ? 'SOLANA_RPC_URL' : 'SOLANA_FALLBACK_RPC_URL'],
      ask: () => askEndpoint(url, vars),
    })),
    { service: 'Jupiter', needs: ['JUPITER_API_KEY'], ask: () => askPrice(jupiter) },
    {
      service: 'DexScreener',
      ask: () => askPrice(createDexscreener({ baseUrl: vars.DEXSCREENER_URL, clock })),
    },
    { service: 'Telegram', needs: ['TELEGRAM_BOT_TOKEN'], ask: () => askTelegram(vars) },
    // X refuses the code. That shows that it accepts our client id and secret.
    {
      service: 'X, token endpoint',
      needs: ['X_CLIENT_ID', 'X_CLIENT_SECRET'],
      ask: () => x.identify({ code: 'probe', codeVerifier: 'probe' }),
    },
    ...vars.PUSH_SERVICES.map((origin) => PUSH_HOSTS[origin] ?? origin)
      .filter((origin) => !origin.includes('*'))
      .map((origin) => ({ service: `push service ${origin}`, ask: () => askOrigin(origin) })),
    ...vars.LOG_WITNESSES.map(({ url }) => ({ service: `witness ${url}`, ask: () => askOrigin(url) })),
  ];
}

async function askEndpoint(url: string, vars: Vars): Promise<void> {
  const chain = createSolanaRpc({
    urls: { primary: url, fallback: url },
    genesisHash: vars.SOLANA_GENESIS_HASH,
    signaturesPerRequest: vars.SOLANA_SIGNATURES_PER_REQUEST,
    clock: systemClock,
    random: Math.random,
  });
  await chain.latestBlockhash();
}

async function askPrice(source: PriceSource): Promise<void> {
  const prices = await source.prices([WRAPPED_SOL_MINT], BULK);
  if (!prices.has(WRAPPED_SOL_MINT)) throw new Error('It has no price of SOL.');
}

const botSchema = z.object({ ok: z.literal(true), result: z.object({ is_bot: z.literal(true) }) });

/** grammY's build for Node accepts no `fetch` of ours, so this asks without it. */
async function askTelegram({ TELEGRAM_API_URL: url, TELEGRAM_BOT_TOKEN: token }: Vars): Promise<void> {
  const response = await fetchInTime(`${url}/bot${token}/getMe`);
  if (!response.ok) throw new Error(`Telegram responded ${response.status}`);
  botSchema.parse(await response.json());
}

const HTTP_SERVER_ERROR = 500;

/** Any response but a 5xx: these services accept only messages and checkpoints, and a check sends none. */
async function askOrigin(url: string): Promise<void> {
  const { status } = await fetchInTime(url, { redirect: 'manual' });
  if (status >= HTTP_SERVER_ERROR) throw new Error(`It responded ${status}.`);
}

const KEY_REFUSED = /\b(401|403)\b/;

function isKeyRefused(error: unknown): boolean {
  if (error instanceof RefusedByXError) return error.refusal.outcome === 'app_refused';
  return KEY_REFUSED.test(describeError(error));
}

/** A table for the terminal. */
export function describeResults(results: readonly ServiceResult[]): string {
  const width = Math.max(...results.map(({ service }) => service.length));
  return results
    .map(({ service, state, milliseconds, note }) => {
      const time = state === 'not checked' ? '' : `${milliseconds} ms`;
      return `${service.padEnd(width)}  ${state.padEnd(11)}  ${time.padStart(8)}  ${note.replaceAll('\n', ' ')}`.trimEnd();
    })
    .join('\n');
}
