import { beforeEach, expect, it, vi } from 'vitest';
import { callBody, createPaidCaller, MINTS, proveWallet } from '#test/people/callers.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { interceptDatabase } from '#test/database/intercept-database.ts';
import { listRoutes } from '#test/access/routes.ts';
import { control, createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';

// Logs name the code and the statement that failed, never the values of a request or of a statement's parameters.

const THESIS = 'The hat stays on until the listing.';
const BIO = 'A bio that nobody should read in a log.';
const UPDATE = 'Half of it is sold at four.';
const TELEGRAM = 'canary_handle';

let isBroken = false;
let lines: string[];
let app: TestApp;
let caller: Person;
let canaries: string[];

beforeEach(async () => {
  isBroken = false;
  lines = [];
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, level).mockImplementation((...args: unknown[]) => {
      lines.push(args.map((arg) => (arg instanceof Error ? String(arg.stack) : String(arg))).join(' '));
    });
  }
  app = await createTestApp({
    bindings: {
      DB: interceptDatabase(testEnv.DB, (_query, run) =>
        isBroken ? Promise.reject(new Error('D1_ERROR: the database is down')) : run(),
      ),
    },
  });
  ({ caller } = await createPaidCaller(app, { handle: 'keeper_of_calls' }));
  const [name = '', token = ''] = caller.cookie.split('=');
  expect(name).toContain('session');
  canaries = [MINTS.WIF, MINTS.BONK, THESIS, BIO, UPDATE, TELEGRAM, token, caller.handle];
});
const openCall = async () => {
  await control('POST', '/prices', { mint: MINTS.WIF, price: 3 });
  const body = { ...callBody({ caller, mint: MINTS.WIF, entryPrice: '3' }), thesis: THESIS };
  return caller.post('/api/token-calls', body);
};

async function walk(): Promise<void> {
  const opened = await openCall();
  const { id = 'unknown' } = (await opened.json()) as { id?: string };
  await caller.post('/api/telegram/send-update', { callId: id, message: UPDATE });
  await caller.patch('/api/user/profile', { bio: BIO });
  await caller.post('/api/user/telegram-connect', { telegramHandle: TELEGRAM });
  await proveWallet(caller, await createFundedWallet(0)).catch(() => undefined);
  await app.request('/api/auth/twitter/callback?code=x&state=y', { cookie: caller.cookie });
  for (const route of listRoutes().filter((each) => each.startsWith('GET ') && !each.includes('logout'))) {
    const path = route
      .slice(4)
      .replace(/:mint/, MINTS.BONK)
      .replace(/:usernameOrId/, caller.handle);
    await app.request(path.replace(/:version/, '0').replace(/:\w+/, id), { cookie: caller.cookie });
    await app.advance(1_000);
  }
  await app.request(`/api/prices?mints=${MINTS.BONK}`);
  await caller.get(`/api/tokens/search?q=${MINTS.BONK}`);
  await caller.patch(`/api/token-calls/${id}/end`, {});
  await app.runCron();
}

function expectNoCanary(): void {
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    for (const canary of canaries) expect(line.toLowerCase()).not.toContain(canary.toLowerCase());
  }
}

it('the logs contain no values from requests if no request fails', async () => {
  await walk();
  expectNoCanary();
});

it('the logs of a database outage name the failed routes and statements, but no values', async () => {
  await openCall();
  isBroken = true;
  await walk();
  const text = lines.join('\n');
  expect(text).toContain('Failed query: ');
  expect(text).toContain('Caused by: Error: D1_ERROR: the database is down');
  expect(text).toContain('"route":"GET /api/callers/:usernameOrId"');
  expect(text).toContain('"event":"jobs.unreadable"');
  expectNoCanary();
});

it('the log of a constraint violation contains no values of the statement', async () => {
  await testEnv.DB.prepare(
    `CREATE TRIGGER no_bio BEFORE UPDATE OF bio ON users BEGIN SELECT RAISE(ABORT, 'not today'); END`,
  ).run();
  try {
    expect((await caller.patch('/api/user/profile', { bio: BIO })).status).toBe(500);
  } finally {
    await testEnv.DB.prepare('DROP TRIGGER no_bio').run();
  }
  expect(lines.join('\n')).toContain('not today');
  expectNoCanary();
});
