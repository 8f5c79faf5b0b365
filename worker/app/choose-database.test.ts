import { beforeEach, expect, it } from 'vitest';
import { ACCESS_RULES } from '#test/access/access-rules.ts';
import {
  createAccessEnvironment,
  type AccessEnvironment,
  type Viewer,
} from '#test/access/access-environment.ts';
import { readDatabase } from '#test/database/database.ts';
import { interceptDatabase } from '#test/database/intercept-database.ts';
import { createTestApp, testEnv, type TestApp } from '#test/test-app.ts';
import { NO_LIMITS } from '#test/test-limits.ts';
import { ROUTES } from '#test/access/routes.ts';

const REPLICA_ROUTES: ReadonlySet<string> = new Set(
  ROUTES.filter(({ facts }) => facts.replica).map(({ route }) => route),
);

/** The tables that public responses read. A visitor without a session has no subscriptions. */
const PUBLIC_TABLES = [
  // Public responses leave out the wallets.
  'call_holdings',
  'call_events',
  'call_notes',
  'call_updates',
  // Public responses name only callers who aren't deleted or hidden.
  'former_handles',
  'called_tokens',
  'callers',
  'callers_search',
  'calls',
  // Copies of ended calls and their marks.
  'copied_calls',
  'log_anchors',
  // The calculator charges the fees of the past.
  'past_fees',
  'price_closes',
  'price_marks',
  'price_quotes',
  'price_shards',
  // Public responses say since when a caller is silent.
  'silent_days',
  'subscriptions',
  'users',
  // Public responses only check whether the column contains a text.
  'hidden_texts',
  'pauses',
  // The log has active calls only in sealed form.
  'log_entries',
  'log_bundles',
  'log_salts',
  'log_checkpoints',
  'log_tiles',
  'log_cosignatures',
];

/** Statements by the route that sent them. */
type Sent = Map<string, string[]>;

let environment: AccessEnvironment;
let app: TestApp;
let current: string;
let constraints: Set<unknown>;
let onReplica: Sent;
let onPrimary: Sent;

const recordedIn = (sent: Sent, database: Parameters<typeof interceptDatabase>[0]) =>
  interceptDatabase(database, ({ sql }, run) => {
    sent.set(current, [...(sent.get(current) ?? []), sql]);
    return run();
  });

beforeEach(async () => {
  environment = await createAccessEnvironment();
  current = '';
  constraints = new Set();
  onReplica = new Map();
  onPrimary = new Map();
  const DB = Object.assign(recordedIn(onPrimary, testEnv.DB), {
    withSession(constraint: D1SessionConstraint) {
      constraints.add(constraint);
      return recordedIn(onReplica, testEnv.DB.withSession(constraint));
    },
  });
  app = await createTestApp({ bindings: { ...NO_LIMITS, DB } });
});

/** Requests all routes once. Images are requested for one name only, because drawing takes a while. */
async function requestRoutes(viewer: Viewer, routes: Iterable<string>): Promise<void> {
  const headers = environment.credentials[viewer];
  for (const route of routes) {
    current = route;
    const [method = ''] = route.split(' ');
    const requests = ACCESS_RULES[route]?.requests(environment.subject) ?? [];
    for (const { path, body } of route.endsWith('.png') ? requests.slice(0, 1) : requests) {
      await (await app.request(path, { method, headers, body })).arrayBuffer();
    }
  }
}

it('requests without a session read only public tables from replicas, and only on replica routes', async () => {
  await requestRoutes('anonymous', Object.keys(ACCESS_RULES));
  expect([...onReplica.keys()].filter((route) => !REPLICA_ROUTES.has(route))).toEqual([]);
  expect([...onPrimary.keys()].filter((route) => REPLICA_ROUTES.has(route))).toEqual([]);
  expect(onReplica.size).toBeGreaterThan(12);
  expect([...constraints]).toEqual(['first-unconstrained']);

  const privateTables = Object.keys(await readDatabase()).filter((table) => !PUBLIC_TABLES.includes(table));
  expect(privateTables).toEqual(expect.arrayContaining(['payments', 'sessions', 'wallets', 'x_tokens']));
  const statements = [...onReplica.values()].flat().join('\n');
  const isRead = (table: string) => new RegExp(`\\b${table}\\b`, 'i').test(statements);
  // A request to a price source writes its count to `attempts`, which D1 sends to the primary.
  expect(privateTables.filter(isRead)).toEqual(['attempts']);
});

it('a request with a session cookie or an API key reads nothing from a replica', async () => {
  for (const viewer of ['owner', 'stranger', 'forged session', 'key of the owner'] as const) {
    onPrimary.clear();
    await requestRoutes(viewer, REPLICA_ROUTES);
    expect([viewer, onReplica.size]).toEqual([viewer, 0]);
    expect(onPrimary.size).toBeGreaterThan(12);
  }
});

it('the cron reads from the primary database, not from replicas', async () => {
  await app.runCron();
  expect(onReplica.size).toBe(0);
});
