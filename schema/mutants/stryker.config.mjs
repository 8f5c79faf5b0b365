/**
 * Mutation testing of the rules about money and entitlement. `npm run mutants` changes their code in small
 * ways, and lists the changes that no test notices. docs/MUTANTS.md explains every such change.
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  mutate: [
    ...[
      'money/lamports',
      'money/units',
      'money/fee-input',
      'money/payment',
      'access/subscription',
      'access/entitlement',
    ].map((rule) => `schema/rules/${rule}.ts`),
    'worker/modules/money/payments/signed-transaction.ts',
    'worker/shared/ed25519.ts',
  ],
  testRunner: 'vitest',
  vitest: { configFile: 'schema/mutants/vitest.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner'],
  // Excludes tsconfig files: Stryker would rewrite them in its copy, with an API that TypeScript 7 doesn't
  // have.
  ignorePatterns: ['/bench', '/docs', '/e2e', '/web', '/dist', '/.local', '/.cache', '/tsconfig.json'],
  tempDirName: '.cache/stryker',
  concurrency: 2,
  thresholds: { high: 100, low: 98, break: 95 },
  reporters: ['clear-text', 'html', 'json'],
  htmlReporter: { fileName: '.cache/mutants/report.html' },
  jsonReporter: { fileName: '.cache/mutants/report.json' },
  clearTextReporter: { logTests: false },
};
