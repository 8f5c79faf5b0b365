import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startEnvironment, type Environment } from '#dev/local/environment.ts';
import { productVars } from '#dev/local/product-vars.ts';
import { parseVars } from '#worker/app/env.ts';
import { checkServices, describeResults } from './check-services.ts';
import { readServiceSettings } from './service-settings.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'solcallers-services-'));
let environment: Environment;

beforeAll(async () => {
  environment = await startEnvironment({
    dataDir,
    ports: { solana: 0, standIns: 0 },
    productUrl: 'https://solcallers.test',
    now: () => Date.now(),
  });
});
afterAll(async () => {
  await environment.close();
  rmSync(dataDir, { recursive: true });
});

const control = (method: string, path: string, body?: object) =>
  fetch(`${environment.standInsUrl}/_control${path}`, {
    method,
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
beforeEach(async () => {
  await control('DELETE', '/faults');
  await control('DELETE', '/x/credits');
});

async function statesOf(unknown: readonly string[] = []) {
  const vars = parseVars({
    ...productVars({ productUrl: 'https://solcallers.test', environment }),
    PUSH_SERVICES: new URL(environment.standInsUrl).origin,
  });
  const results = await checkServices({ vars, unknown });
  return { results, states: Object.fromEntries(results.map(({ service, state }) => [service, state])) };
}

it('all services of the local environment fit, and nothing is written or posted', async () => {
  await control('DELETE', '/requests');
  const { states, results } = await statesOf();
  expect(new Set(Object.values(states))).toEqual(new Set(['fits']));
  expect(results.map(({ service }) => service.replace(/ http.*/, ''))).toEqual(
    expect.arrayContaining([
      'Solana RPC, primary',
      'Solana RPC, fallback',
      'Jupiter',
      'DexScreener',
      'Telegram',
      'X, token endpoint',
      'push service',
      'witness',
    ]),
  );
  const listed = (await (await control('GET', '/requests')).json()) as {
    requests: { service: string; method: string; path: string }[];
  };
  const posts = listed.requests.filter(({ method }) => method === 'POST').map(({ path }) => path);
  expect(posts.every((path) => /getMe|oauth2\/token/.test(path))).toBe(true);
});

it.each([
  ['telegram', { status: 401 }, 'Telegram', 'key refused'],
  ['telegram', { status: 502 }, 'Telegram', 'unexpected'],
  ['jupiter', { status: 401 }, 'Jupiter', 'key refused'],
  ['dexscreener', { status: 403 }, 'DexScreener', 'unexpected'],
  ['dexscreener', { cutResponse: true }, 'DexScreener', 'unexpected'],
  ['solana-primary', { drop: true }, 'Solana RPC, primary', 'unexpected'],
  ['x', { status: 503 }, 'X, token endpoint', 'unexpected'],
])('a response of %s with %j is told apart from one that fits', async (service, fault, name, state) => {
  await control('POST', '/faults', { service, ...fault });
  const { states, results } = await statesOf();
  expect(states[name]).toBe(state);
  expect(describeResults(results)).toMatch(new RegExp(`^${name} +${state} +\\d+ ms  \\S`, 'm'));
});

it('a wrong client secret is a refused key', async () => {
  await control('POST', '/x/refuse-client', {});
  expect((await statesOf()).states['X, token endpoint']).toBe('key refused');
});

it('a service whose key isn’t known here isn’t asked', async () => {
  const { states, results } = await statesOf(['TELEGRAM_BOT_TOKEN']);
  expect(states['Telegram']).toBe('not checked');
  expect(describeResults(results)).toContain('TELEGRAM_BOT_TOKEN is not set');
});

it('secrets come from a file or the shell; those that are missing are named', () => {
  const settings = readServiceSettings({
    environment: 'production',
    given: { X_CLIENT_SECRET: 'from a file' },
    shell: { TELEGRAM_BOT_TOKEN: '1:from-the-shell' },
  });
  expect(settings.vars).toMatchObject({
    X_CLIENT_SECRET: 'from a file',
    TELEGRAM_BOT_TOKEN: '1:from-the-shell',
  });
  expect(settings.unknown).toContain('SOLANA_RPC_URL');
  expect(settings.unknown).not.toContain('X_CLIENT_SECRET');
});
