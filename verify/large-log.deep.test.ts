import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { verifyRecord } from './record.ts';
import { largeRecord, largeSite } from './test-support/large-log.ts';

const CALLS = 1_000;

it.each([2, 16])(
  'a record of 1,000 calls in a log of 1,000,000 entries, %i per minute, passes with at most 2 kB per call',
  { timeout: 600_000 },
  async (entriesPerMinute) => {
    const site = largeSite(largeRecord({ size: 1_000_000, calls: CALLS, entriesPerMinute }));
    // Compressed, because servers compress JSON.
    expect(gzipSync(site.text).length / CALLS).toBeLessThanOrEqual(2_000);
    const { failures, entries } = await verifyRecord(site.options);
    expect({ failures, entries }).toEqual({ failures: [], entries: 2 * CALLS });
  },
);
