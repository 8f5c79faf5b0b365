import {
  CONSTANTS,
  CONTRACTS,
  noTables,
  RULES,
  TESTS,
  type ImportArea,
  type ImportRule,
} from './import-area.ts';

const schemaOnly = (accepts: Readonly<Record<string, string>>, message: string): ImportRule => ({
  message,
  only: {
    accepts: { './**': './lamports.ts', ...accepts },
    refuses: ['#worker/app/app.ts', '#web/ui/icons.tsx', '#dev/settings.ts', 'node:fs', 'react', 'hono'],
  },
});

export const schemaAreas: readonly ImportArea[] = [
  {
    files: ['schema/constants.ts'],
    examples: ['schema/constants.ts'],
    rules: [{ message: 'Constants import nothing.', forbid: { '.': './rules/lamports.ts' } }],
    accepts: [],
  },
  {
    files: ['schema/rules/**'],
    except: TESTS,
    examples: ['schema/rules/planted.ts'],
    rules: [
      schemaOnly({ '../**': '../constants.ts', ...CONSTANTS, ...RULES, bs58: 'bs58' }, 'Rules are pure.'),
      { message: 'constants ← rules ← contracts', forbid: { '/contracts/': '../contracts/calls.ts' } },
      noTables,
    ],
    accepts: ['./price-levels.ts'],
  },
  {
    files: ['schema/contracts/**'],
    except: TESTS,
    examples: ['schema/contracts/planted.ts'],
    rules: [
      schemaOnly({ ...CONSTANTS, ...RULES, ...CONTRACTS, zod: 'zod' }, 'Contracts stand on rules and zod.'),
      noTables,
    ],
    accepts: ['./shared.ts'],
  },
  {
    files: ['schema/tables/**'],
    examples: ['schema/tables/planted.ts'],
    rules: [
      schemaOnly(
        { ...CONSTANTS, ...RULES, 'drizzle-orm': 'drizzle-orm', 'drizzle-orm/**': 'drizzle-orm/sqlite-core' },
        'Tables stand on constants, rules and Drizzle.',
      ),
      { message: 'Tables know no contract.', forbid: { '/contracts/': '#schema/contracts/calls.ts' } },
    ],
    accepts: ['./calls.ts', 'drizzle-orm/sqlite-core'],
  },
  {
    files: ['schema/rules/**/*.{test,test-model}.ts', 'schema/contracts/**/*.test.ts'],
    examples: ['schema/rules/planted.test.ts', 'schema/contracts/planted.test.ts'],
    rules: [
      noTables,
      {
        message: 'The schema imports nothing above it.',
        forbid: {
          '^#worker/': '#worker/app/app.ts',
          '^#web/': '#web/ui/icons.tsx',
          '^#dev/': '#dev/settings.ts',
        },
      },
    ],
    accepts: ['vitest', './lamports.ts', '#schema/contracts/calls.ts'],
  },
];

const NOT_THE_PRODUCT = [
  '#schema/rules/money/lamports.ts',
  '../schema/constants.ts',
  '#worker/shared/base64.ts',
  'zod',
];

export const verifyAreas: readonly ImportArea[] = [
  {
    files: ['verify/*.ts'],
    except: ['verify/main.ts', ...TESTS],
    examples: ['verify/planted.ts'],
    rules: [
      {
        message: 'The verifier stands on Web Crypto alone: it imports nothing but its own files.',
        only: { accepts: { './*.ts': './record.ts' }, refuses: [...NOT_THE_PRODUCT, 'node:crypto'] },
      },
    ],
    accepts: ['./tree.ts'],
  },
  {
    files: ['verify/main.ts'],
    examples: ['verify/main.ts'],
    rules: [
      {
        message: "The verifier's command imports nothing but Node and the verifier.",
        only: { accepts: { './*.ts': './record.ts', 'node:*': 'node:fs' }, refuses: NOT_THE_PRODUCT },
      },
    ],
    accepts: ['./tree.ts'],
  },
];
