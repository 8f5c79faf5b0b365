import { generateKeyPairSync } from 'node:crypto';
import { z } from 'zod';
import { parseVars } from '#worker/app/env.ts';

export interface Settings {
  readonly vars: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/**
 * Placeholders for settings that only the account's owner knows: for a dry run, and for stored secrets, whose values
 * can't be read.
 */
const INVENTED: Readonly<Record<string, string>> = {
  X_CLIENT_ID: 'invented',
  TELEGRAM_BOT_USERNAME: 'invented_bot',
  PLATFORM_WALLET: 'So11111111111111111111111111111111111111112',
  X_CLIENT_SECRET: 'invented',
  X_TOKENS_KEY: Buffer.alloc(32, 'invented').toString('base64'),
  X_IDS_KEY: Buffer.alloc(32, 'invented').toString('base64'),
  LOG_PRIVATE_KEY: Buffer.alloc(32, 'invented').toString('base64'),
  LOG_ANCHOR_KEY: Buffer.alloc(32, 'invented').toString('base64'),
  SOLANA_RPC_URL: 'https://one.rpc.invented.example',
  SOLANA_FALLBACK_RPC_URL: 'https://other.rpc.invented.example',
  TELEGRAM_BOT_TOKEN: '1:invented',
  TELEGRAM_WEBHOOK_SECRET: 'invented-invented',
  VAPID_KEY: generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'der' })
    .toString('base64'),
  JUPITER_API_KEY: 'invented',
  OPERATORS_TOKEN: 'invented'.repeat(4),
};

/** Fills missing settings with placeholders. Also returns their names. */
export function withPlaceholders(
  { vars, secrets }: Settings,
  required: readonly string[],
): Settings & { readonly invented: readonly string[] } {
  const fill = (values: Readonly<Record<string, string>>, names: readonly string[]) => {
    const missing = names.filter((name) => (values[name] ?? '') === '' && name in INVENTED);
    return {
      missing,
      filled: { ...values, ...Object.fromEntries(missing.map((name) => [name, INVENTED[name] ?? ''])) },
    };
  };
  const [filledVars, filledSecrets] = [fill(vars, Object.keys(vars)), fill(secrets, required)];
  return {
    vars: filledVars.filled,
    secrets: filledSecrets.filled,
    invented: [...filledVars.missing, ...filledSecrets.missing],
  };
}

/**
 * Checks variables and secrets as the worker does when it starts. A deployed environment also needs an https address of
 * its own, and https for all services. Returns the problems; none contains a secret.
 */
export function findSettingsProblems({ vars, secrets }: Settings): readonly string[] {
  const urls = Object.entries({ ...vars, ...secrets }).filter(([name]) => /_(?:URL|ORIGIN)$/.test(name));
  const insecure = urls.filter(([, value]) => value.startsWith('http:')).map(([name]) => name);
  const origin = URL.parse(vars['APP_ORIGIN'] ?? '');
  return [
    ...problemsOfWorker({ ...vars, ...secrets }),
    ...insecure.map((name) => `${name}: This must be https.`),
    ...(origin?.hostname.endsWith('.example') === true ? ['APP_ORIGIN: This is still the example.'] : []),
    ...(origin !== null && origin.pathname !== '/'
      ? ['APP_ORIGIN: This must be an address without a path.']
      : []),
  ];
}

function problemsOfWorker(env: object): readonly string[] {
  try {
    parseVars(env);
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.replace('Invalid environment variables: ', '').split('; ');
  }
}

/** The operator's name and address for the terms and the privacy notice. Vite reads them from the shell. */
export const OPERATOR_VARIABLES = ['VITE_OPERATOR_NAME', 'VITE_OPERATOR_ADDRESS', 'VITE_OPERATOR_EMAIL'];

/** Reads `NAME=value` lines or a JSON object. Comments and empty values are left out. */
export function parseSecretsFile(text: string): Readonly<Record<string, string>> {
  if (text.trimStart().startsWith('{')) return z.record(z.string(), z.string()).parse(JSON.parse(text));
  const lines = text.matchAll(/^([A-Z][A-Z\d_]*)=(.*)$/gm);
  const pairs = [...lines].map(([, name = '', value = '']): [string, string] => [
    name,
    value.trim().replace(/^(["'])(.*)\1$/, '$2'),
  ]);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}
