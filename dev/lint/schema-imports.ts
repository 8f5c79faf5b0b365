import {
  CONSTANTS,
  CONTRACTS,
  noTables,
  RULES,
  TESTS,
  type ImportArea,
  type ImportRule,
} from './import-area.ts';

const schemaOnly = (accepts: readonly string[], message: string): ImportRule => ({
  message,
  only: {
    accepts: ['./**', ...accepts],
    refuses: ['#worker/app/app.ts', '#web/ui/icons.tsx', '#dev/settings.ts', 'node:fs', 'react', 'hono'],
  },
});

export const schemaAreas: readonly ImportArea[] = [
  {
    files: ['schema/constants/**'],
    rules: [
      {
        message: 'Constants import only constants.',
        only: {
          accepts: ['./*.ts'],
          refuses: ['../rules/money/lamports.ts', '#schema/contracts/calls.ts', 'zod'],
        },
      },
    ],
  },
  {
    files: ['schema/rules/**'],
    except: TESTS,
    rules: [
      schemaOnly(['../**', CONSTANTS, RULES, 'bs58', 'unicode-confusables'], 'Rules are pure.'),
      { message: 'constants ← rules ← contracts', forbid: { '/contracts/': '../contracts/calls.ts' } },
      noTables,
    ],
  },
  {
    files: ['schema/contracts/**'],
    except: TESTS,
    rules: [schemaOnly([CONSTANTS, RULES, CONTRACTS, 'zod'], 'Contracts stand on rules and zod.'), noTables],
  },
  {
    files: ['schema/tables/**'],
    rules: [
      schemaOnly(
        [CONSTANTS, RULES, 'drizzle-orm', 'drizzle-orm/**'],
        'Tables stand on constants, rules and Drizzle.',
      ),
      { message: 'Tables know no contract.', forbid: { '/contracts/': '#schema/contracts/calls.ts' } },
    ],
  },
  {
    files: ['schema/rules/**/*.{test,test-model}.ts', 'schema/contracts/**/*.test.ts'],
    rules: [
      noTables,
      {
        message: 'The schema imports nothing above it.',
        forbid: {
          '^#worker/': '#worker/app/app.ts',
          '^#test/': '#test/test-app.ts',
          '^#web/': '#web/ui/icons.tsx',
          '^#dev/': '#dev/settings.ts',
        },
      },
    ],
  },
];

const NOT_THE_PRODUCT = [
  '#schema/rules/money/lamports.ts',
  '../schema/constants/time.ts',
  '#worker/shared/base64.ts',
  'zod',
];

export const verifyAreas: readonly ImportArea[] = [
  {
    files: ['verify/*.ts'],
    except: ['verify/main.ts', ...TESTS],
    rules: [
      {
        message: 'The verifier imports nothing but a hash function and its own files.',
        only: { accepts: ['./*.ts', '@noble/hashes/sha2.js'], refuses: [...NOT_THE_PRODUCT, 'node:crypto'] },
      },
    ],
  },
  {
    files: ['verify/main.ts'],
    rules: [
      {
        message: "The verifier's command imports nothing but Node and the verifier.",
        only: { accepts: ['./*.ts', 'node:*'], refuses: NOT_THE_PRODUCT },
      },
    ],
  },
];
