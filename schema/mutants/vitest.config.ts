import { defineConfig } from 'vitest/config';

/** The tests that have to notice a changed rule, in Node and nothing else. */
export default defineConfig({
  test: {
    environment: 'node',
    setupFiles: './schema/mutants/fixed-seed.ts',
    // Without the million fees: the tests beside them have to notice every change, and soon.
    include: [
      'schema/rules/{lamports,units,fee-input,payment,payment-properties,subscription,entitlement}.test.ts',
      'worker/shared/ed25519.test.ts',
      'worker/modules/payments/signed-transaction.test.ts',
    ],
  },
});
