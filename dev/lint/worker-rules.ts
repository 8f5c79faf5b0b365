import type { ImportRule } from './import-area.ts';

export const noPage: ImportRule = {
  message: 'The worker knows neither the page nor the local environment.',
  forbid: {
    '^#web/': '#web/ui/icons.tsx',
    '^#dev/': '#dev/settings.ts',
    '/test-support/': '../test-support/chain.ts',
    '^#test/': '#test/test-app.ts',
  },
};

export const noRenderer: ImportRule = {
  message: "Only services.ts wires the renderer of pages, which is web's (docs/decisions/045).",
  forbid: { '^#page-renderer$': '#page-renderer' },
};

export const noAdapters: ImportRule = {
  message: 'Only the wiring creates adapters. Their types are fine.',
  typesAreFine: true,
  forbid: { '/adapters/': '../../../adapters/jupiter.ts' },
};

export const noWiring: ImportRule = {
  message: 'The wiring knows this file, not the other way round.',
  typesAreFine: true,
  forbid: { '/services\\.ts$': '../../../app/services.ts', '/app/app\\.ts$': '../../../app/app.ts' },
};

export const noJobs: ImportRule = {
  message: 'Only worker/index.ts starts jobs and Durable Objects.',
  forbid: {
    '/jobs/': '../../../jobs/every-minute.cron.ts',
    '/durable-objects/': '../../../durable-objects/live-hub.ts',
  },
};

export const noModules: ImportRule = {
  message: 'This code is below the modules.',
  forbid: { '(^|/)modules/': '../modules/market/calls/calls.service.ts' },
};

export const noSql: ImportRule = {
  message: 'SQL stands in repositories.',
  forbid: { '(^|/)tables/': '#schema/tables/calls.ts', '^drizzle': 'drizzle-orm' },
};

export const noHttp: ImportRule = {
  message: 'HTTP stands in routes.',
  forbid: { '^hono': 'hono', '\\.routes\\.ts$': './calls.routes.ts' },
};
