import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { Health } from '#schema/contracts/health.ts';
import type { Status } from '#schema/contracts/status.ts';
import type { Ability } from '#schema/rules/running/outages.ts';
import { interceptDatabase } from '#test/database/intercept-database.ts';
import { receivedBy, turnOn } from '#test/messages/push.ts';
import { createOperatedApp } from '#test/people/operators.ts';
import { breakSources, endFaults } from '#test/price-sources.ts';
import { readResponse } from '#test/responses.ts';
import { control, createTestApp, testEnv, type TestApp } from '#test/test-app.ts';
import { createOutageWatch } from './outage-watch.ts';

let app: TestApp;

beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  app = await createTestApp();
});
afterEach(async () => {
  await endFaults();
  await control('DELETE', '/x/credits');
});

async function nextMinute(of = app): Promise<void> {
  await of.advance(MINUTE_MS);
  await of.runCron();
}

/** The banner, the health check, and the alarms of outages, newest first. */
async function told(of = app) {
  const { outages } = await readResponse<Status>(of.request('/api/status'));
  const health = await of.request('/api/health/ready');
  const { checks } = await health.json<Health>();
  const alarms = await of.services.cronWatch.listAlarms();
  return {
    banner: outages.map(({ ability }) => ability),
    code: health.status,
    failing: checks
      .filter(({ status, name }) => status === 'down' && name !== 'cron')
      .map(({ name }) => name),
    alarms: alarms.flatMap(({ kind, text }) => (kind.startsWith('outage') ? [text] : [])),
  };
}

const fault = (service: string, how: object) => () => control('POST', '/faults', { service, ...how });

const OUTAGES: readonly [
  name: string,
  begin: () => Promise<unknown>,
  abilities: readonly Ability[],
  cause: string,
][] = [
  ['both price sources', breakSources, ['calls'], 'Neither Jupiter nor DexScreener'],
  ['both RPC endpoints', fault('solana', { drop: true }), ['payments', 'calls'], 'Neither RPC endpoint'],
  ['X', fault('x', { status: 503 }), ['sign_in', 'posts'], 'X does not respond.'],
  [
    'our client secret at X',
    () => control('POST', '/x/refuse-client', {}),
    ['sign_in', 'posts'],
    'X refuses our client id or secret.',
  ],
  ['our bot at Telegram', fault('telegram', { status: 401 }), ['messages'], 'Telegram refuses our bot.'],
  ['Telegram', fault('telegram', { status: 502 }), ['messages'], 'Telegram does not respond.'],
];

it.each(OUTAGES)(
  'two minutes after %s failed, the banner, the health check and one alarm say what users can’t do, until it works',
  async (_name, begin, abilities, cause) => {
    await app.runCron();
    expect(await told()).toEqual({ banner: [], code: 200, failing: [], alarms: [] });
    await begin();
    await nextMinute();
    expect(await told()).toMatchObject({ banner: [], alarms: [] });
    await nextMinute();
    const during = await told();
    const isVital = abilities.some((ability) => ability !== 'messages' && ability !== 'posts');
    expect(during).toMatchObject({ banner: abilities, code: isVital ? 503 : 200, failing: abilities });
    expect(during.alarms).toHaveLength(abilities.length);
    for (const alarm of during.alarms) expect(alarm).toContain(cause);
    await nextMinute();
    expect((await told()).alarms).toHaveLength(abilities.length);
    await endFaults();
    await control('DELETE', '/x/credits');
    await nextMinute();
    const after = await told();
    expect(after).toMatchObject({ banner: [], failing: [] });
    expect(after.alarms[0]).toContain('again.');
  },
);

it.each<[string, (sql: string) => boolean, readonly Ability[], string]>([
  [
    'refuses writes',
    (sql) => /^\s*(insert|update|delete)/i.test(sql),
    ['sign_in', 'payments', 'calls'],
    'The database refuses writes.',
  ],
  [
    'does not respond',
    () => true,
    ['pages', 'sign_in', 'payments', 'calls'],
    'The database does not respond.',
  ],
])(
  'a database that %s raises the alarm, although no job can store its failure',
  async (_how, isRefused, abilities, cause) => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const refuse = <Result>({ sql }: { sql: string }, run: () => Promise<Result>) =>
      isRefused(sql) ? Promise.reject(new Error('D1_ERROR: exceeded maximum DB size')) : run();
    const { cookie } = await app.signIn('somebody');
    const broken = await createTestApp({ bindings: { DB: interceptDatabase(testEnv.DB, refuse) } });
    await broken.runCron();
    // The app's shell responds without the database.
    for (const page of ['/', '/dashboard', '/terms']) await broken.request(page);
    await nextMinute(broken);
    const { outages } = await readResponse<Status>(broken.request('/api/status', { cookie }));
    expect(outages.map(({ ability }) => ability)).toEqual(abilities);
    const alarms = await broken.services.cronWatch.listAlarms();
    for (const { text } of alarms) expect(text).toContain(cause);
    expect((await broken.request('/api/health/ready')).status).toBe(503);
  },
);

async function signIn(handle: string, network: string): Promise<number> {
  const start = await app.request('/api/auth/twitter');
  const authorize = `${start.headers.get('Location')}&login_as=${handle}`;
  const responded = await fetch(authorize, { redirect: 'manual' });
  const { pathname, search } = new URL(responded.headers.get('Location') ?? '');
  const cookie = start.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ');
  const headers = { 'CF-Connecting-IP': network };
  return (await app.request(`${pathname}${search}`, { cookie, headers })).status;
}

/** Lets the isolate report what users did, at most once a minute. */
async function reported(): Promise<void> {
  await app.advance(MINUTE_MS);
  await app.request('/api/callers');
}

it('when X is out of credits, two sign-ins raise the alarm, and the next success ends it', async () => {
  await app.runCron();
  await control('POST', '/x/credits', { usd: 0 });
  expect(await signIn('kenji_charts', '203.0.113.1')).toBe(503);
  expect(await signIn('kenji_charts', '203.0.113.1')).toBe(503);
  await reported();
  const during = await told();
  expect(during).toMatchObject({ banner: ['sign_in'], code: 503 });
  expect(during.alarms.join()).toContain('Our credits at X are used up');
  await control('DELETE', '/x/credits');
  expect(await signIn('kenji_charts', '203.0.113.1')).toBe(302);
  await reported();
  expect(await told()).toMatchObject({ banner: [], code: 200 });
});

it('failures of one person raise nothing, failures of three people do', async () => {
  await app.runCron();
  await control('POST', '/faults', { service: 'x', status: 503, path: '/2/users/me' });
  const attempt = (person: number) => signIn('kenji_charts', `203.0.113.${person}`);
  for (let count = 0; count < 5; count += 1) await attempt(1);
  await reported();
  expect(await told()).toMatchObject({ banner: [] });
  for (const person of [2, 3]) await attempt(person);
  await reported();
  expect(await told()).toMatchObject({ banner: ['sign_in'], code: 503 });
});

it('failures of three people within a minute are heard, although nobody comes after them', async () => {
  await app.runCron();
  await control('POST', '/faults', { service: 'x', status: 503, path: '/2/users/me' });
  for (const person of [1, 2, 3]) await signIn('kenji_charts', `203.0.113.${person}`);
  await nextMinute();
  expect(await told()).toMatchObject({ banner: ['sign_in'], code: 503 });
});

it('refused codes, wrong input, limits and disagreeing sources are nobody’s outage', async () => {
  await app.runCron();
  const refused = await Promise.all(
    [1, 2, 3, 4].map((person) =>
      app.request('/api/auth/twitter/callback?code=made-up&state=made-up', {
        headers: { 'CF-Connecting-IP': `203.0.113.${person}` },
      }),
    ),
  );
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  await reported();
  expect(await told()).toMatchObject({ banner: [], code: 200, alarms: [] });
});

it('an outage that lasts reminds the operators every hour', async () => {
  await breakSources();
  await app.runCron();
  for (let minute = 0; minute < 61; minute += 1) {
    await app.advance(MINUTE_MS);
    await app.services.outages.probe();
  }
  expect((await told()).alarms).toHaveLength(2);
});

it('an outage that begins within an hour of the last one raises its own alarm', async () => {
  for (const count of [1, 3]) {
    await breakSources();
    await nextMinute();
    await nextMinute();
    expect((await told()).alarms).toHaveLength(count);
    await endFaults();
    await nextMinute();
  }
});

it('alarms reach the operators’ browsers while Telegram refuses the bot', async () => {
  const { app: operated, operator } = await createOperatedApp();
  const endpoint = await turnOn(operated, operator);
  await control('POST', '/faults', { service: 'telegram', status: 401 });
  for (let minute = 0; minute < 2; minute += 1) {
    await operated.services.outages.probe();
    await operated.advance(MINUTE_MS);
  }
  await vi.waitFor(async () => expect(await receivedBy(endpoint)).not.toEqual([]), {
    timeout: 5 * SECOND_MS,
  });
  const [message] = await receivedBy(endpoint);
  expect(message?.text).toMatch(
    /^Users can’t get messages on Telegram since \d\d:\d\d UTC\. Telegram refuses our bot\./,
  );
  expect(message?.url).toMatch(/\/operators$/);
});

it('a test alarm says for each channel whether it was sent', async () => {
  const { app: operated, operator } = await createOperatedApp();
  const test = async () =>
    (await readResponse<{ message: string }>(operator.post('/api/operators/test-alarm'))).message;
  expect(await test()).toBe(
    'Telegram: is not set up (OPERATOR_CHAT_ID). Browsers: no operator has turned notifications on.',
  );
  const endpoint = await turnOn(operated, operator);
  expect(await test()).toContain('Browsers: sent.');
  expect(await receivedBy(endpoint)).toHaveLength(1);
});

it('two failed probes with a success between them are no outage, even if the object forgets its memory', async () => {
  const stored = new Map<string, unknown>();
  const store = {
    get: <Value>(key: string) => Promise.resolve(stored.get(key) as Value | undefined),
    put: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
  };
  const raise = vi.fn(() => Promise.resolve());
  for (const [minute, cause] of ['telegram.refused', null, 'telegram.refused'].entries()) {
    const watch = createOutageWatch({ store, raise });
    const outages = await watch.report({ probes: { messages: cause }, at: minute * MINUTE_MS + 1 });
    expect(outages).toEqual([]);
  }
  expect(raise).not.toHaveBeenCalled();
});
