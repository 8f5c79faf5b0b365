import { expect, it } from 'vitest';
import type { Unstable_Config } from 'wrangler';
import { ENVIRONMENTS, readConfig } from './environments.ts';

/** Settings that all environments share. Names, ids and the values of variables may differ. */
const commonParts = (config: Unstable_Config) => ({
  main: config.main,
  compatibility: [config.compatibility_date, config.compatibility_flags],
  assets: config.assets,
  cache: config.cache,
  placement: config.placement,
  limits: config.limits,
  observability: config.observability,
  crons: config.triggers.crons,
  objects: config.durable_objects.bindings,
  migrations: config.migrations,
  rateLimits: config.ratelimits.map(({ name, simple }) => [name, simple]),
  databases: config.d1_databases.map(({ binding, migrations_dir }) => [binding, migrations_dir]),
  namespaces: config.kv_namespaces.map(({ binding }) => binding),
  buckets: config.r2_buckets.map(({ binding }) => binding),
  datasets: config.analytics_engine_datasets.map(({ binding }) => binding),
  version: config.version_metadata,
  others: [config.queues, config.services, config.workflows],
});

const [staging, production] = [readConfig('staging'), readConfig('production')];

it.each(ENVIRONMENTS)(
  'wrangler.toml gives %s the same bindings, limits and crons as the local environment',
  (environment) => {
    expect(commonParts(readConfig(environment))).toEqual(commonParts(readConfig()));
  },
);

it('wrangler.toml declares the same names of variables and secrets for staging and production', () => {
  expect(Object.keys(staging.vars)).toEqual(Object.keys(production.vars));
  expect(staging.secrets).toEqual(production.secrets);
  expect(production.secrets?.required?.length).toBeGreaterThan(5);
});

it('wrangler.toml shares no database, dataset, domain or rate limit between staging and production', () => {
  const own = (config: Unstable_Config) => [
    config.name,
    config.vars['APP_ORIGIN'],
    ...config.d1_databases.map(({ database_name }) => database_name),
    ...config.r2_buckets.map(({ bucket_name }) => bucket_name),
    ...config.analytics_engine_datasets.map(({ dataset }) => dataset),
    ...config.ratelimits.map(({ namespace_id }) => namespace_id),
  ];
  const names = own(production);
  expect(own(staging).filter((name) => names.includes(name))).toEqual([]);
  expect(names.length).toBeGreaterThan(8);
});

it.each(ENVIRONMENTS)('wrangler.toml serves %s only at its own domain, and has no D1 or KV ids', (name) => {
  const { routes, workers_dev, vars, d1_databases, kv_namespaces } = readConfig(name);
  const { hostname } = new URL(String(vars['APP_ORIGIN']));
  expect(routes).toEqual([{ pattern: hostname, custom_domain: true }]);
  expect(workers_dev).toBe(false);
  expect(d1_databases.map(({ database_id }) => database_id)).toEqual([undefined]);
  expect(kv_namespaces.map(({ id }) => id)).toEqual([undefined]);
});
