import { defineConfig } from 'vitest/config';

/** Runs the tests that must fail for every mutant, in Node. */
export default defineConfig({
  test: {
    environment: 'node',
    setupFiles: './dev/tests/fixed-seed.ts',
    include: [
      'schema/rules/money/{lamports,units,fee-input,payment,payment-properties}.test.ts',
      'schema/rules/access/{subscription,entitlement}.test.ts',
      'worker/shared/ed25519.test.ts',
      'worker/modules/money/payments/signed-transaction.test.ts',
    ],
  },
});
