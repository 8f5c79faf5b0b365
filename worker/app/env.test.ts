import { createExecutionContext } from 'cloudflare:test';
import { expect, it, vi } from 'vitest';
import example from '../../.dev.vars.example?raw';
import wranglerFile from '../../wrangler.toml?raw';
import { testEnv } from '#test/test-app.ts';
import worker from '../index.ts';
import { parseVars } from './env.ts';

const required = [
  'APP_ORIGIN',
  'X_AUTHORIZE_URL',
  'X_API_URL',
  'X_AVATARS_URL',
  'X_CLIENT_ID',
  'X_CLIENT_SECRET',
  'X_TOKENS_KEY',
  'X_IDS_KEY',
  'LOG_PRIVATE_KEY',
  'LOG_ANCHOR_KEY',
  'SOLANA_RPC_URL',
  'SOLANA_FALLBACK_RPC_URL',
  'SOLANA_GENESIS_HASH',
  'EXPLORER_TX_URL',
  'PLATFORM_WALLET',
  'JUPITER_URL',
  'DEXSCREENER_URL',
  'TELEGRAM_API_URL',
  'TELEGRAM_LINK_URL',
  'TELEGRAM_BOT_USERNAME',
  'TELEGRAM_BOT_TOKEN',
  'TELEGRAM_WEBHOOK_SECRET',
  'VAPID_KEY',
];
const complete = Object.fromEntries(Object.entries(testEnv).filter(([, value]) => typeof value === 'string'));
const errorOf = (env: object): string => {
  try {
    parseVars(env);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

it('parseVars reads a complete environment and drops trailing slashes of URLs', () => {
  expect(
    parseVars({ ...complete, APP_ORIGIN: 'https://a.example/', JUPITER_URL: 'https://j.example/v/' }),
  ).toMatchObject({ APP_ORIGIN: 'https://a.example', JUPITER_URL: 'https://j.example/v' });
});

it('parseVars names every missing variable', () => {
  const message = errorOf({});
  for (const name of required) expect(message).toContain(`${name}: `);
});

it.each(required)('parseVars names only %s if it is missing and all other variables are valid', (name) => {
  for (const env of [
    { ...complete, [name]: undefined },
    { ...complete, [name]: '' },
  ]) {
    const message = errorOf(env);
    expect(message).toContain(`${name}: `);
    for (const other of required.filter((each) => each !== name)) {
      expect(message).not.toContain(`${other}: `);
    }
  }
});

it.each([
  'https://solcallers.example',
  'http://localhost:8787',
  'http://127.0.0.1:8787',
  'http://[::1]:8787',
])('parseVars accepts %s as the origin', (origin) => {
  expect(parseVars({ ...complete, APP_ORIGIN: origin }).APP_ORIGIN).toBe(origin);
});

it.each([
  ['APP_ORIGIN', 'http://solcallers.example'],
  ['APP_ORIGIN', 'http://localhost.solcallers.example'],
  ['APP_ORIGIN', 'http://localhost@solcallers.example'],
  ['APP_ORIGIN', 'http://192.168.0.2:8787'],
  ['SOLANA_RPC_URL', 'not a url'],
  ['SOLANA_RPC_URL', 'wss://rpc.example'],
  ['SOLANA_FALLBACK_RPC_URL', 'rpc.example'],
  ['SOLANA_GENESIS_HASH', 'mainnet-beta'],
  ['SOLANA_GENESIS_HASH', '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  ['EXPLORER_TX_URL', 'https://explorer.example/tx/'],
  ['EXPLORER_TX_URL', 'https://explorer.example/{signature}/{signature}'],
  ['EXPLORER_TX_URL', 'javascript:{signature}'],
  ['EXPLORER_TX_URL', '/tx/{signature}'],
  ['JUPITER_REQUESTS_PER_SECOND', '0'],
  ['JUPITER_REQUESTS_PER_SECOND', '-1'],
  ['JUPITER_REQUESTS_PER_SECOND', 'fast'],
  ['SOLANA_SIGNATURES_PER_REQUEST', '0'],
  ['SOLANA_SIGNATURES_PER_REQUEST', '257'],
  ['SOLANA_SIGNATURES_PER_REQUEST', 'five'],
  ['PLATFORM_WALLET', '0xabc'],
  ['X_TOKENS_KEY', 'not base64!'],
  ['X_TOKENS_KEY', btoa('x'.repeat(31))],
  ['PLATFORM_WALLET', 'z'.repeat(44)],
  ['TELEGRAM_BOT_USERNAME', '@a_bot'],
  ['TELEGRAM_BOT_TOKEN', 'no-token'],
  ['TELEGRAM_WEBHOOK_SECRET', 'too-short'],
])('parseVars names %s as invalid if its value is %s', (name, value) => {
  expect(errorOf({ ...complete, [name]: value })).toContain(`${name}: `);
});

it("parseVars defaults to Jupiter's free plan, and without an API key allows at most the keyless rate", () => {
  const rateOf = (vars: object) =>
    parseVars({ ...complete, JUPITER_REQUESTS_PER_SECOND: undefined, ...vars }).JUPITER_REQUESTS_PER_SECOND;
  expect(rateOf({})).toBe(1);
  expect(rateOf({ JUPITER_API_KEY: undefined })).toBe(0.5);
  expect(rateOf({ JUPITER_REQUESTS_PER_SECOND: '150' })).toBe(150);
  const withoutKey = { ...complete, JUPITER_API_KEY: undefined, JUPITER_REQUESTS_PER_SECOND: '1' };
  expect(errorOf(withoutKey)).toContain('JUPITER_REQUESTS_PER_SECOND: ');
});

it('parseVars rejects a fallback RPC endpoint that equals the primary one', () => {
  for (const again of ['https://rpc.example/key', 'https://rpc.example/key/']) {
    expect(
      errorOf({ ...complete, SOLANA_RPC_URL: 'https://rpc.example/key', SOLANA_FALLBACK_RPC_URL: again }),
    ).toContain('SOLANA_FALLBACK_RPC_URL: ');
  }
});

it('parseVars doesn’t put an invalid RPC URL, which may have a key, into its error message', () => {
  for (const name of ['SOLANA_RPC_URL', 'SOLANA_FALLBACK_RPC_URL']) {
    expect(errorOf({ ...complete, [name]: 'a-secret-key' })).not.toContain('a-secret-key');
  }
  expect(errorOf({ ...complete, SOLANA_FALLBACK_RPC_URL: complete['SOLANA_RPC_URL'] })).not.toContain(
    complete['SOLANA_RPC_URL'],
  );
});

const secrets = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);

it('.dev.vars.example lists exactly the required variables that wrangler.toml does not set', () => {
  const configured = [...wranglerFile.matchAll(/^([A-Z_]+) = /gm)].map(([, name]) => name);
  expect(secrets.toSorted()).toEqual(required.filter((name) => !configured.includes(name)).toSorted());
});

it.each(secrets)(
  'the cron and requests fail without the secret %s, and the log names the secret',
  async (name) => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const env = { ...testEnv, [name]: '' };
    const request = new Request('https://solcallers.test/api/callers');
    const response = await worker.fetch(request, env, createExecutionContext());
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain(name);
    expect(String(errors.mock.calls)).toContain(`Invalid environment variables: ${name}: `);
    expect(() => worker.scheduled({} as ScheduledController, env)).toThrow(name);
  },
);
