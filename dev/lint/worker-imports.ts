import { CONSTANTS, CONTRACTS, RULES, TESTS, type ImportArea } from './import-area.ts';
import {
  noAdapters,
  noHttp,
  noJobs,
  noModules,
  noPage,
  noRenderer,
  noSql,
  noWiring,
} from './worker-rules.ts';

export const outsideAreas: readonly ImportArea[] = [
  {
    files: ['worker/ports/**'],
    except: TESTS,
    examples: ['worker/ports/planted.ts'],
    rules: [
      {
        message: 'ports ← adapters ← wiring',
        only: {
          accepts: { './**': './clock.ts', ...CONSTANTS, ...RULES, ...CONTRACTS },
          refuses: [
            '../adapters/jupiter.ts',
            '../modules/log/log.service.ts',
            '../shared/rows.ts',
            '../app/env.ts',
            'zod',
          ],
        },
      },
    ],
    accepts: ['./chain.ts'],
  },
  {
    files: ['worker/adapters/**'],
    except: TESTS,
    examples: ['worker/adapters/planted.ts'],
    rules: [
      noPage,
      noRenderer,
      noModules,
      noJobs,
      noSql,
      { message: 'Adapters know no HTTP of ours.', forbid: { '/app/': '../app/env.ts', '^hono': 'hono' } },
      {
        message: 'Adapters take only these helpers from worker/shared: the others know the database.',
        typesAreFine: true,
        only: {
          within: '../shared/**',
          accepts: {
            '../shared/base64.ts': '../shared/base64.ts',
            '../shared/concurrency.ts': '../shared/concurrency.ts',
            '../shared/describe-error.ts': '../shared/describe-error.ts',
            '../shared/with-timeout.ts': '../shared/with-timeout.ts',
          },
          refuses: ['../shared/rows.ts', '../shared/attempts.ts', '../shared/database.ts'],
        },
      },
    ],
    accepts: ['../ports/chain.ts', './fetch-json.ts', 'zod', '#schema/contracts/push.ts'],
  },
];

export const workerAreas: readonly ImportArea[] = [
  {
    files: ['worker/shared/**'],
    except: TESTS,
    examples: ['worker/shared/planted.ts'],
    rules: [noPage, noRenderer, noAdapters, noWiring, noJobs, noModules],
    accepts: ['../app/errors.ts', '../ports/clock.ts', 'drizzle-orm', '#schema/tables/calls.ts'],
  },
  {
    files: ['worker/app/**'],
    except: [...TESTS, 'worker/app/services.ts', 'worker/app/base.ts'],
    examples: ['worker/app/planted.ts'],
    rules: [
      noPage,
      noRenderer,
      noAdapters,
      noJobs,
      noSql,
      {
        message: 'HTTP calls services.',
        forbid: { '\\.repository\\.ts$': '../modules/market/calls/calls.repository.ts' },
      },
    ],
    accepts: ['./services.ts', '../modules/market/calls/calls.routes.ts', '../shared/ids.ts', 'hono'],
  },
  {
    files: ['worker/app/services.ts'],
    examples: ['worker/app/services.ts'],
    rules: [
      noPage,
      noJobs,
      noSql,
      {
        message: "A neighbourhood's module.ts wires its modules.",
        typesAreFine: true,
        forbid: {
          'modules/.*/.*/': '../modules/market/calls/calls.service.ts',
          '\\.(service|repository|routes)\\.ts$': '../modules/log/log.service.ts',
        },
      },
    ],
    accepts: ['#page-renderer', '../adapters/system-clock.ts', '../modules/market/market.module.ts'],
  },
  {
    files: ['worker/app/base.ts'],
    examples: ['worker/app/base.ts'],
    rules: [noPage, noRenderer, noModules, noWiring, noJobs, noSql],
    accepts: ['../adapters/jupiter.ts', '../shared/database.ts', './env.ts'],
  },
  {
    files: ['worker/{jobs,durable-objects}/**'],
    except: TESTS,
    examples: ['worker/jobs/planted.ts', 'worker/durable-objects/planted.ts'],
    rules: [noPage, noRenderer, noAdapters, noSql, noHttp],
    accepts: [
      '../app/services.ts',
      '../ports/clock.ts',
      '../shared/describe-error.ts',
      './message-sender.ts',
    ],
  },
  {
    files: ['worker/*.ts'],
    examples: ['worker/planted.ts'],
    rules: [noPage, noRenderer],
    accepts: ['./app/services.ts', './durable-objects/rebroadcaster.ts'],
  },
];
