import { expect, inject, it } from 'vitest';
import { createPaidCaller, makeCall, MINTS, makeEndedCall } from '#test/people/callers.ts';
import { readDatabase } from '#test/database/database.ts';
import { createFuzzer, type FuzzedRequest } from '#test/access/fuzz.ts';
import { interceptDatabase } from '#test/database/intercept-database.ts';
import { listRoutes, schemasOf } from '#test/access/routes.ts';
import { createRandom } from '#test/seeded-random.ts';
import { createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { NO_LIMITS } from '#test/test-limits.ts';
import { captureLogs } from '#test/capture-logs.ts';

const isDeep = inject('isDeep');
const REQUESTS_PER_ROUTE = isDeep ? 2_000 : 5;
/** The limit is per minute, because an hourly limit would refuse most requests that open or end a call. */
const REQUESTS_PER_MINUTE = 10;

const WRITES = /\b(?:INSERT|UPDATE|DELETE|REPLACE)\b/i;
/** A statement that writes a table that `readState` leaves out. */
const UNREAD = /^\s*(?:INSERT INTO|UPDATE|DELETE FROM) "?(?:attempts|sessions)\b/i;

interface Fuzzing {
  readonly app: TestApp;
  /** True if a statement has written since the last call. */
  readonly hasWritten: () => boolean;
  readonly known: { readonly texts: readonly string[] };
}

/** Returns 503 here, because the cron doesn't run in this test. */
const READINESS = 'GET /api/health/ready';

async function createFuzzing(): Promise<Fuzzing> {
  let isWritten = true;
  const DB = interceptDatabase(testEnv.DB, (query, run) => {
    if (query.sql.split(';').some((sql) => WRITES.test(sql) && !UNREAD.test(sql))) isWritten = true;
    return run();
  });
  const app = await createTestApp({ bindings: { ...NO_LIMITS, DB } });
  const { caller, payout } = await createPaidCaller(app, { handle: 'fuzzed_caller' });
  const { caller: other } = await createPaidCaller(app, { handle: 'other_caller' });
  const ended = await makeEndedCall({ caller, mint: MINTS.JUP });
  const active = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await app.services.logSequencer.sequence();
  return {
    app,
    hasWritten: () => {
      const had = isWritten;
      isWritten = false;
      return had;
    },
    known: {
      texts: [
        caller.id,
        other.id,
        caller.handle,
        ended.id,
        active.id,
        payout.publicKey.toBase58(),
        ...Object.values(MINTS),
        '1',
        '2',
        '0.5',
        '20',
      ],
    },
  };
}

/** Reads all tables except the two that a refused request may change: `attempts`, and the session's last use. */
async function readState(): Promise<string> {
  const { attempts: _, sessions: __, ...rows } = await readDatabase();
  return JSON.stringify(rows);
}

const describeRequest = ({ method, path, headers, body }: FuzzedRequest) =>
  `${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${String(body).slice(0, 300)}`;

async function fuzzRoute({ app, hasWritten, known }: Fuzzing, route: string, seed: number) {
  const random = createRandom(seed);
  const next = createFuzzer({ route, known, random });
  let person: Person = await app.signIn('fuzzed_caller');
  hasWritten();
  let state = await readState();
  const problems: string[] = [];
  for (let count = 0; count < REQUESTS_PER_ROUTE; count++) {
    const request = next();
    const isSignedIn = random.share() < 0.85;
    const response = await app.request(request.path, {
      ...request,
      ...(isSignedIn && { cookie: person.cookie }),
    });
    const text = new TextDecoder().decode(await response.arrayBuffer());
    const report = (problem: string) => problems.push(`${problem}: ${describeRequest(request)}`);
    if (response.status >= 500 && route !== READINESS) report(`${response.status} ${text.slice(0, 200)}`);
    if (/\n\s+at |node_modules|SQLITE|D1_ERROR|\.ts:\d/.test(text)) report('a stack trace');
    if (hasWritten()) {
      const now = await readState();
      if (response.status >= 400 && now !== state) report(`${response.status} changed the database`);
      state = now;
    }
    if (count % REQUESTS_PER_MINUTE === 0) await app.advance(60_000);
    if (route === 'GET /api/logout') person = await app.signIn('fuzzed_caller');
  }
  return problems;
}

it('the fuzzer knows the schema of every route that takes a JSON body', () => {
  const withoutBody = /\/end$|\/mutes\/:callerId$|\/webhook\/samples$|\/test-alarm$/;
  const routes = listRoutes().filter((route) => /^(POST|PATCH|PUT) /.test(route) && !withoutBody.test(route));
  expect(routes.filter((route) => schemasOf(route)['json'] === undefined)).toEqual([]);
});

it('a fuzzed request causes no server error or stack trace, and changes no data if it is refused', async () => {
  const fuzzing = await createFuzzing();
  const { logs, restore } = captureLogs();
  const problems: string[] = [];
  for (const [index, route] of listRoutes().entries()) {
    problems.push(...(await fuzzRoute(fuzzing, route, index + 1)));
  }
  restore();
  expect(problems).toEqual([]);
  expect(logs.filter((log) => /endpoint_failed|source_failing|port\.unavailable/.test(log))).toEqual([]);
});
