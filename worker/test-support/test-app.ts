import { env } from 'cloudflare:workers';
import { DOCUMENT_VERSIONS, DOCUMENTS } from '#schema/constants/people.ts';
import { createApp } from '../app/app.ts';
import { createServices, type ServicesOptions, type Services } from '../app/services.ts';
import type { Clock } from '../ports/clock.ts';
import type { Channel } from '../ports/outbox.ts';
import { listJobs, runDueJobs, runEveryMinute, runJob } from '../jobs/every-minute.cron.ts';
import type { JobName } from '../modules/running/health/due-times.repository.ts';
import { createOutageWatch } from '../modules/running/outages/outage-watch.ts';
import type { KeptAlarm } from '../ports/outages.ts';
import { checkOperation } from './access/check-responses.ts';
import { objectsOfTest } from './durable-objects.ts';
import { testAssets } from './test-assets.ts';
import type { TestEnv } from './test-env.ts';
import { createTestRebroadcaster, type TestRebroadcaster } from './test-rebroadcaster.ts';
import { createTestLive, type TestLive } from './messages/test-live.ts';
import { createTestLimits } from './test-limits.ts';
import { createTestSender, type TestSender } from './messages/test-sender.ts';
import { insertSession, rememberIdentity } from './people/sessions.ts';

const bound = env as unknown as TestEnv;
export const testEnv: TestEnv = {
  ...bound,
  SENDER: objectsOfTest(bound.SENDER),
  LIVE: objectsOfTest(bound.LIVE),
};
const ORIGIN = 'https://solcallers.test';
const PERMANENT_REDIRECT = 308;

/**
 * The whole product on a migrated database. The test moves the product's clock together with the local environment's
 * clock.
 */
export interface TestApp {
  readonly clock: Clock;
  readonly services: Services;
  advance(milliseconds: number): Promise<void>;
  /**
   * Sends a request. A text or a stream is sent unchanged, any other body as JSON. Follows the redirect to the
   * canonical query unless `isFollowing` is false. Throws if the response differs from the OpenAPI document.
   */
  request(
    path: string,
    init?: {
      method?: string;
      body?: unknown;
      cookie?: string | undefined;
      headers?: Record<string, string>;
      isFollowing?: boolean;
    },
  ): Promise<Response>;
  /**
   * Signs in. A handle's first sign-in inserts rows if this process knows what X says about the handle. All others go
   * through the local X, like a browser. `cookie` has the browser's cookies; by default the device cookie of the
   * handle's last sign-in, so that it isn't a new device.
   */
  signIn(
    handle: string,
    browser?: {
      cookie?: string;
      userAgent?: string;
      /** Default: true. */
      hasAcceptedTerms?: boolean;
    },
  ): Promise<Person>;
  /** Returns the browser of a user who signed in before. */
  browser(session: { id: string; handle: string; cookie: string; deviceCookie?: string }): Person;
  runCron(): Promise<void>;
  /** Runs only the cron's due jobs of these kinds, such as `payments`. All jobs take five times as long. */
  runJobs(...kinds: string[]): Promise<void>;
  readonly sender: TestSender;
  readonly chatSender: TestSender;
  readonly pushSender: TestSender;
  readonly webhookSender: TestSender;
  readonly rebroadcaster: TestRebroadcaster;
  readonly live: TestLive;
}

/** A signed-in browser. */
export interface Person {
  readonly id: string;
  readonly handle: string;
  cookie: string;
  /** The cookie that recognises the browser at its next sign-in. */
  readonly deviceCookie: string;
  get(path: string): Promise<Response>;
  post(path: string, body?: unknown): Promise<Response>;
  patch(path: string, body?: unknown): Promise<Response>;
  put(path: string, body?: unknown): Promise<Response>;
  delete(path: string): Promise<Response>;
}

interface TestAppOptions extends Pick<ServicesOptions, 'random' | 'renderPage'> {
  /** Overrides the test environment's bindings. */
  readonly bindings?: Partial<TestEnv>;
}

export async function createTestApp({
  bindings = {},
  random = () => 0.5,
  renderPage,
}: TestAppOptions = {}): Promise<TestApp> {
  const move = async (milliseconds: number) =>
    Number(await (await fetch(`${testEnv.TEST_CLOCK_URL}/?advance=${milliseconds}`)).text());
  let now = await move(0);
  const advance = async (milliseconds: number) => {
    now = await move(milliseconds);
  };
  const clock: Clock = { now: () => now, sleep: advance };
  const limits = createTestLimits(clock);
  const openTestSender = (channel: Channel) =>
    createTestSender({ channel, namespace: testEnv.SENDER, services: () => services, clock });
  const senders: Readonly<Record<Channel, ReturnType<typeof createTestSender>>> = {
    telegram: openTestSender('telegram'),
    chat: openTestSender('chat'),
    push: openTestSender('push'),
    webhook: openTestSender('webhook'),
  };
  const { rebroadcaster, binding: timer } = createTestRebroadcaster({ services: () => services, clock });
  const { live, binding: hubs } = createTestLive({ namespace: testEnv.LIVE, services: () => services });
  const services = createServices(
    {
      ...testEnv,
      ...limits,
      SENDER: { getByName: (channel: Channel) => senders[channel].outbox } as unknown as TestEnv['SENDER'],
      LIVE: hubs,
      REBROADCASTER: timer,
      CRON_WATCH: createTestCronWatch(clock, () => services),
      ...bindings,
    },
    { clock, random, ...(renderPage && { renderPage }) },
  );
  const app = createApp({ servicesFor: () => services });

  const request: TestApp['request'] = async (path, init = {}) => {
    const { method = 'GET', body, cookie, headers = {}, isFollowing = true } = init;
    const response = await app.request(
      `${ORIGIN}${path}`,
      {
        method,
        redirect: 'manual',
        headers: {
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(cookie === undefined ? {} : { Cookie: cookie }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: bodyOf(body) }),
      },
      { ...testEnv, ...limits, ASSETS: testAssets, ...bindings },
    );
    await checkOperation({ method, path, headers, body, response });
    if (response.status !== PERMANENT_REDIRECT || !isFollowing) return response;
    return request(response.headers.get('Location') ?? '', init);
  };

  const deviceCookies = new Map<string, string>();
  const browser: TestApp['browser'] = ({ id, handle, cookie, deviceCookie = '' }) => {
    const send = (method: string) => async (path: string, body?: unknown) => {
      const response = await request(path, { method, body, cookie: person.cookie });
      const name = person.cookie.split('=', 1)[0] ?? '';
      const replaced = cookiesOf(response)
        .split('; ')
        .find((each) => each.startsWith(`${name}=`));
      if (replaced !== undefined) person.cookie = replaced;
      return response;
    };
    const person: Person = {
      id,
      handle,
      cookie,
      deviceCookie,
      get: send('GET'),
      post: (path, body = {}) => send('POST')(path, body),
      patch: (path, body = {}) => send('PATCH')(path, body),
      put: send('PUT'),
      delete: send('DELETE'),
    };
    return person;
  };

  return {
    clock,
    services,
    advance,
    request,
    runCron: () => runEveryMinute({ services, runJob: (due) => runJob(services, due) }),
    runJobs: (...kinds) => {
      const isWanted = (job: string) => kinds.some((kind) => job.startsWith(`${kind}.`));
      const names = (Object.keys(listJobs(services)) as JobName[]).filter(isWanted);
      return runDueJobs({ services, names, runJob: (due) => runJob(services, due) });
    },
    sender: senders.telegram.sender,
    chatSender: senders.chat.sender,
    pushSender: senders.push.sender,
    webhookSender: senders.webhook.sender,
    rebroadcaster,
    live,
    async signIn(handle, how = {}) {
      const { cookie: had = deviceCookies.get(handle) ?? '', userAgent, hasAcceptedTerms = true } = how;
      const isFirst = had === '' && how.cookie === undefined && userAgent === undefined;
      const inserted = isFirst ? await insertSession(handle, now) : null;
      if (inserted) {
        deviceCookies.set(handle, inserted.deviceCookie);
        if (hasAcceptedTerms) await acceptTerms(inserted.id, now);
        return browser({ handle, ...inserted });
      }
      const start = await request('/api/auth/twitter');
      const authorize = `${start.headers.get('Location')}&login_as=${handle}`;
      const responded = await fetch(authorize, { redirect: 'manual' });
      const callback = new URL(responded.headers.get('Location') ?? '');
      const done = await request(`${callback.pathname}${callback.search}`, {
        cookie: [had, cookiesOf(start)].filter((each) => each !== '').join('; '),
        ...(userAgent === undefined ? {} : { headers: { 'User-Agent': userAgent } }),
      });
      if (done.status !== 302) throw new Error(`Sign-in responded ${done.status}: ${await done.text()}`);
      const [cookie = '', , deviceCookie = ''] = cookiesOf(done).split('; ');
      deviceCookies.set(handle, deviceCookie);
      const session = await services.auth.authenticate(cookie.slice(cookie.indexOf('=') + 1));
      if (!session) throw new Error('Sign-in gave no session.');
      const id = session.userId;
      await rememberIdentity(handle, { id, cookie, deviceCookie });
      if (hasAcceptedTerms) await acceptTerms(id, now);
      return browser({ id, handle, cookie, deviceCookie });
    },
    browser,
  };
}

/** Replaces the cron watch, because the real one uses the real clock. Its alarms are raised by the test's services. */
function createTestCronWatch(clock: Clock, services: () => Services): TestEnv['CRON_WATCH'] {
  let ranAt: number | null = null;
  const alarms: KeptAlarm[] = [];
  const stored = new Map<string, unknown>();
  const watch = {
    cronRan: async () => {
      ranAt = clock.now();
    },
    lastRun: () => Promise.resolve(ranAt),
    keepAlarm: async (alarm: KeptAlarm) => void alarms.unshift(alarm),
    listAlarms: async () => alarms,
    ...createOutageWatch({
      store: {
        get: async <Value>(key: string) => stored.get(key) as Value | undefined,
        put: async (key, value) => void stored.set(key, value),
      },
      raise: (alarm) => services().alarm(alarm),
    }),
  };
  return { getByName: () => watch } as unknown as TestEnv['CRON_WATCH'];
}

/** Accepts the terms by a statement instead of a request, which would count towards the rate limit. */
export async function acceptTerms(userId: string, now: number): Promise<void> {
  const accepted = DOCUMENTS.map((document) => [userId, document, DOCUMENT_VERSIONS[document], now]);
  await testEnv.DB.prepare(
    `INSERT INTO acceptances (user_id, document, version, at)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?) WHERE true
     ON CONFLICT DO NOTHING`,
  )
    .bind(JSON.stringify(accepted))
    .run();
}

function bodyOf(body: unknown): BodyInit {
  if (typeof body === 'string' || body instanceof ReadableStream) return body;
  return JSON.stringify(body);
}

/** Returns the cookies of a response as the browser's Cookie header. */
export function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0] ?? '')
    .filter((cookie) => !cookie.endsWith('='))
    .join('; ');
}

/** Calls the local environment's control API. Returns its response. */
export async function control<Value = unknown>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Value> {
  const response = await fetch(`${testEnv.TEST_CONTROL_URL}${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`The control API responded ${response.status}: ${await response.text()}`);
  return response.json<Value>();
}
