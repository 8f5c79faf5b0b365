import { expect, inject, it } from 'vitest';
import { MINUTE_MS } from '#schema/constants/time.ts';
import { playRefundHistory } from '#test/payments/refund-model.ts';

const HISTORIES = inject('isDeep') ? 3_000 : 30;
const HISTORIES_PER_TEST = 30;
const TIMEOUT_MS = 2 * MINUTE_MS;

it.each(Array.from({ length: HISTORIES / HISTORIES_PER_TEST }, (_, batch) => 1 + batch * HISTORIES_PER_TEST))(
  'in random histories, what was paid back is recorded, and a period ends only as it was agreed (histories from %i)',
  async (first) => {
    for (let seed = first; seed < first + HISTORIES_PER_TEST; seed += 1) await playRefundHistory(seed);
    expect.hasAssertions();
  },
  TIMEOUT_MS,
);
