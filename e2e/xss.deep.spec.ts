import { expect, test } from './fixtures.ts';
import { detectScripts } from './xss/detector.ts';
import { payloads } from './xss/payloads.ts';
import { executedIn, openPlanted, PLANTED_ORIGIN, servePlanted } from './xss/planted.ts';
import { runPayloads } from './xss/run.ts';
import { createCounts } from './xss/counts.ts';

const PAYLOADS = 200;
/** Ten calls within a minute would use up the caller's share of Jupiter's rate limit (docs/decisions/022-price-sources.md). */
const PER_GROUP = 5;
/** Groups that run at the same time. */
const AT_ONCE = 3;
/** Each group takes minutes on a busy machine. */
const TIMEOUT_MS = 60 * 60_000;

// Refused payloads make Chromium log an error. The detector reports server errors.
test.use({ refusedOnPurpose: /./, actionTimeout: 30_000 });

test('the XSS detector notices each of 200 payloads on a page without escaping', async ({ browser }) => {
  test.setTimeout(TIMEOUT_MS);
  expect(new Set(payloads.map(({ text }) => text)).size).toBe(PAYLOADS);
  const context = await browser.newContext();
  const hits = await detectScripts(context, { origins: [PLANTED_ORIGIN] });
  await servePlanted(context, payloads);
  const page = await context.newPage();
  for (const payload of payloads) await openPlanted(page, payload);
  const listSilent = () => payloads.filter(({ number }) => !executedIn(hits).has(number));
  await expect.poll(listSilent).toEqual([]);
  await context.close();
});

test('none of 200 payloads runs in any field of the product', async ({ openBrowser }) => {
  test.setTimeout(TIMEOUT_MS);
  const counts = createCounts();
  const hits: string[] = [];
  const failures: string[] = [];
  const groups = Array.from({ length: PAYLOADS / PER_GROUP }, (_, index) =>
    payloads.slice(index * PER_GROUP, (index + 1) * PER_GROUP),
  );
  /** Runs one group after the other. If a group fails, continues with the next one. */
  const runGroups = async () => {
    for (let group = groups.shift(); group; group = groups.shift()) {
      try {
        hits.push(...(await runPayloads({ payloads: group, counts, openBrowser })));
      } catch (error) {
        failures.push(`Group from payload ${group[0]?.number}: ${String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runGroups));
  console.log(counts.describe({ payloads: PAYLOADS, executed: hits.length }));
  expect(failures).toEqual([]);
  expect(hits).toEqual([]);
  expect(counts.incompleteFields(PAYLOADS)).toEqual([]);
});
