import type { Bindings } from '#worker/app/env.ts';

/**
 * An R2 bucket in memory that is discarded after seeding: it only has a copy of the newest checkpoint. The running product
 * writes the next one.
 */
function createMemoryBucket() {
  const objects = new Map<string, string>();
  return {
    put: (key: string, value: string) => Promise.resolve(void objects.set(key, value)),
    get(key: string) {
      const value = objects.get(key);
      return Promise.resolve(value === undefined ? null : { text: () => Promise.resolve(value) });
    },
  };
}

/** KV in memory that is discarded after seeding: it only caches prices, which later ones would have overwritten. */
function createMemoryKv() {
  const values = new Map<string, string>();
  return {
    get: (key: string) => Promise.resolve(JSON.parse(values.get(key) ?? 'null') as unknown),
    put: (key: string, value: string) => Promise.resolve(void values.set(key, value)),
  };
}

const done = () => Promise.resolve();
const unlimited = { limit: () => Promise.resolve({ success: true }) };
const dataset = { writeDataPoint: () => undefined };
/**
 * Stands in for every Durable Object and does nothing: no sample person has a chat, a browser for notifications or an
 * open page, and every sample payment lands at once.
 */
const object = {
  add: done,
  resend: done,
  wake: () => Promise.resolve(0),
  wakeAt: done,
  cronRan: done,
  keepAlarm: done,
  report: () => Promise.resolve([]),
  callsChanged: done,
  peopleChanged: done,
};
const namespace = { getByName: () => object };

interface BindingsOptions {
  readonly database: object;
  readonly vars: Readonly<Record<string, string>>;
}

/** The worker's bindings for a history that is written outside of workerd. */
export function createBindings({ database, vars }: BindingsOptions): Bindings {
  const bindings = {
    ...vars,
    DB: database,
    PRICES: createMemoryKv(),
    BACKUPS: createMemoryBucket(),
    PAGE_VIEWS: dataset,
    METRICS: dataset,
    VERSION: { id: 'local', tag: '', timestamp: '' },
    LIMIT_ADDRESS: unlimited,
    LIMIT_VISITOR: unlimited,
    LIMIT_CHEAP: unlimited,
    LIMIT_READS: unlimited,
    LIMIT_WRITES: unlimited,
    LIMIT_COSTLY: unlimited,
    SENDER: namespace,
    REBROADCASTER: namespace,
    CRON_WATCH: namespace,
    LIVE: namespace,
  };
  return bindings as unknown as Bindings;
}
