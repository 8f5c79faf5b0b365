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
    rules: [
      {
        message: 'ports ← adapters ← wiring',
        only: {
          accepts: ['./**', CONSTANTS, RULES, CONTRACTS],
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
  },
  {
    files: ['worker/adapters/**'],
    except: TESTS,
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
          accepts: [
            '../shared/base64.ts',
            '../shared/batches.ts',
            '../shared/concurrency.ts',
            '../shared/describe-error.ts',
            '../shared/with-timeout.ts',
          ],
          refuses: ['../shared/rows.ts', '../shared/attempts.ts', '../shared/database.ts'],
        },
      },
    ],
  },
];

export const workerAreas: readonly ImportArea[] = [
  {
    files: ['worker/shared/**'],
    except: TESTS,
    rules: [
      noPage,
      noRenderer,
      noAdapters,
      noWiring,
      noJobs,
      noModules,
      {
        message: 'worker/shared has no business: a floor of modules owns it.',
        only: {
          within: '#schema/**',
          accepts: [
            '#schema/constants/time.ts',
            '#schema/rules/text/**',
            '#schema/rules/typed-keys.ts',
            '#schema/tables/attempts.ts',
            '#schema/tables/job-leases.ts',
            // The names and limits that `plain-text.ts` needs.
            '#schema/constants/messages.ts',
            '#schema/rules/access/telegram-chats.ts',
            '#schema/rules/people/person-name.ts',
          ],
          refuses: [
            '#schema/contracts/pauses.ts',
            '#schema/rules/calls/ranking.ts',
            '#schema/tables/operators.ts',
          ],
        },
      },
    ],
  },
  {
    files: ['worker/app/**'],
    except: [...TESTS, 'worker/app/services.ts', 'worker/app/base.ts'],
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
  },
  {
    files: ['worker/app/services.ts'],
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
  },
  {
    files: ['worker/app/base.ts'],
    rules: [noPage, noRenderer, noModules, noWiring, noJobs, noSql],
  },
  {
    files: ['worker/jobs/**', 'worker/durable-objects/**'],
    except: TESTS,
    rules: [noPage, noRenderer, noAdapters, noSql, noHttp],
  },
  {
    files: ['worker/*.ts'],
    rules: [noPage, noRenderer],
  },
];
