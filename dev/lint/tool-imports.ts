import { CONSTANTS, CONTRACTS, type ImportArea } from './import-area.ts';

export const toolAreas: readonly ImportArea[] = [
  {
    files: ['dev/**'],
    except: ['dev/build/open-api/**', 'dev/seed/**'],
    rules: [
      {
        message: "The local environment knows the schema and the worker's pure parts.",
        forbid: {
          '^#web/': '#web/ui/icons.tsx',
          'worker/(adapters|app|durable-objects|jobs|ports)/': '#worker/app/services.ts',
          '(^|/)(e2e|bench)/': '../e2e/journey.ts',
        },
      },
    ],
  },
  {
    files: ['dev/build/open-api/**'],
    rules: [
      {
        message: 'The OpenAPI document is generated from the routes and contracts.',
        only: {
          within: '#*/**',
          accepts: [
            CONSTANTS,
            CONTRACTS,
            '#worker/list-routes.ts',
            '#worker/app/{plain-page,route,route-facts}.ts',
            '#worker/shared/xml.ts',
          ],
          refuses: ['#web/ui/icons.tsx', '#worker/app/services.ts', '#schema/tables/calls.ts'],
        },
      },
    ],
  },
  {
    files: ['dev/seed/**'],
    rules: [
      {
        message: "The sample data is written by the worker's services and cron.",
        forbid: {
          '^#web/': '#web/ui/icons.tsx',
          'worker/(adapters|modules|ports|shared)/': '#worker/shared/rows.ts',
          '(^|/)tables/': '#schema/tables/calls.ts',
          '(^|/)(e2e|bench)/': '../e2e/journey.ts',
        },
      },
    ],
  },
  {
    files: ['deploy/**'],
    // The check of services uses the product's own adapters.
    except: ['deploy/services/**'],
    rules: [
      {
        message: "The deploy knows the product's configuration, not its code.",
        forbid: {
          '^#web/': '#web/ui/icons.tsx',
          'worker/(adapters|durable-objects|modules|jobs|ports|shared)/': '#worker/shared/rows.ts',
          '(^|/)tables/': '#schema/tables/calls.ts',
          '(^|/)(e2e|bench)/': '../e2e/journey.ts',
        },
      },
    ],
  },
];
