import { noTables, TESTS, type ImportArea, type ImportRule } from './import-area.ts';

const everyPage: readonly ImportRule[] = [
  noTables,
  {
    message: 'The page knows no stand-in, test or tool.',
    forbid: {
      '^#dev/': '#dev/settings.ts',
      '^#deploy/': '#deploy/run.ts',
      '^#test/': '#test/test-app.ts',
      '(^|/)(e2e|bench)/': '../../e2e/journey.ts',
    },
  },
  {
    message: 'The page takes only types from the worker.',
    typesAreFine: true,
    forbid: { '(^#|/)worker/': '#worker/app/app.ts' },
  },
  {
    message: 'The page takes only types from contracts, because their values need zod (17 kB).',
    typesAreFine: true,
    forbid: { '/contracts/': '#schema/contracts/calls.ts', '^zod': 'zod' },
  },
];

const noFeatures: ImportRule = {
  message: 'Features stand above this code.',
  forbid: { '/features/': '#web/features/share/use-share.tsx', '/routes/': '#web/routes/index.tsx' },
};

const otherFeatures = (pattern: string, example: string): ImportRule => ({
  message: 'Features never import features: the route puts them together.',
  forbid: {
    '^#web/features/': '#web/features/share/use-share.tsx',
    '^#web/routes/': '#web/routes/index.tsx',
    [pattern]: example,
  },
});

export const pageAreas: readonly ImportArea[] = [
  {
    files: ['web/*', 'web/{routes,testing}/**', 'web/ui/**/*.test.{ts,tsx}'],
    rules: everyPage,
  },
  {
    files: ['web/api/**', 'web/lib/**'],
    rules: [...everyPage, noFeatures],
  },
  {
    files: ['web/features/*/*'],
    rules: [...everyPage, otherFeatures('^\\.\\./', '../share/use-share.tsx')],
  },
  {
    files: ['web/features/*/*/**'],
    rules: [...everyPage, otherFeatures('^\\.\\./\\.\\./', '../../share/use-share.tsx')],
  },
  {
    files: ['web/ui/**'],
    except: TESTS,
    rules: [
      ...everyPage,
      noFeatures,
      {
        message: 'The ui kit has no data and fetches nothing.',
        forbid: { '^#web/api/': '#web/api/client.ts', 'react-query': '@tanstack/react-query' },
      },
      {
        message: 'The ui kit takes only these helpers from web/lib: others have data.',
        only: {
          within: '#web/lib/**',
          accepts: [
            '#web/lib/calls/call-height.ts',
            '#web/lib/text/dates.ts',
            '#web/lib/page/focus-heading.ts',
            '#web/lib/calls/proven-text.ts',
          ],
          refuses: ['#web/lib/money/sol-usd.tsx'],
        },
      },
    ],
  },
];
