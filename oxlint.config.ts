import { defineConfig } from 'oxlint';
import { importOverrides } from './dev/lint/import-rules.ts';

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'react', 'jsx-a11y', 'promise'],
  categories: {
    correctness: 'error',
    suspicious: 'error',
  },
  env: {
    es2024: true,
  },
  // Programs of strangers: their types are generated from a running API.
  ignorePatterns: ['node_modules', 'dist', '.local', '.cache', '**/*.gen.ts', 'dev/examples'],
  rules: {
    'import/no-cycle': [
      'error',
      {
        ignoreTypes: false,
      },
    ],
    'import/no-default-export': 'error',
    'import/no-unassigned-import': 'off',
    'react/react-in-jsx-scope': 'off',
    'no-console': 'off',
    'import/no-named-as-default-member': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
    'no-shadow': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/consistent-return': 'off',
    'typescript/await-thenable': 'off',
    'typescript/no-unnecessary-type-parameters': 'off',
    'typescript/unbound-method': 'off',
    'typescript/no-unsafe-type-assertion': 'error',
    'typescript/no-misused-spread': 'off',
    'typescript/require-array-sort-compare': 'off',
    'typescript/no-base-to-string': 'off',
    'typescript/restrict-template-expressions': 'off',
    'typescript/no-unnecessary-type-conversion': 'off',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': [
      'error',
      {
        considerDefaultExhaustiveForUnions: true,
      },
    ],
    curly: ['error', 'multi-line'],
    'no-nested-ternary': 'error',
    'max-lines-per-function': [
      'error',
      {
        max: 80,
        skipBlankLines: true,
        skipComments: true,
      },
    ],
  },
  overrides: [
    ...importOverrides,
    {
      files: [
        '**/*.test.ts',
        '**/*.test.tsx',
        '**/*.spec.ts',
        '**/test-support/**',
        'e2e/payments/**',
        'bench/**',
      ],
      rules: {
        'max-lines-per-function': 'off',
      },
    },
    {
      // Tests and local tools read what they have written themselves, and a wrong type fails the test.
      files: [
        '**/*.test.ts',
        '**/*.test.tsx',
        '**/*.test-model.ts',
        '**/*test-doubles.ts',
        '**/*test-doubles.tsx',
        '**/test-support/**',
        'web/testing/**',
        'bench/**',
        'dev/**',
        'e2e/**',
        'vitest.config.ts',
      ],
      rules: {
        'typescript/no-unsafe-type-assertion': 'off',
      },
    },
    {
      files: [
        'oxlint.config.ts',
        'vite.config.ts',
        'vitest.config.ts',
        'schema/mutants/*',
        'e2e/playwright.config.ts',
        'e2e/readme-screenshots.config.ts',
        'worker/index.ts',
        'worker/test-support/global-setup.ts',
        'worker/test-support/images/reference-images.ts',
      ],
      rules: {
        'import/no-default-export': 'off',
      },
    },
  ],
});
