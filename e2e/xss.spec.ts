import { expect, test } from './fixtures.ts';
import { detectScripts } from './xss/detector.ts';
import { payloads } from './xss/payloads.ts';
import { executedIn, openPlanted, PLANTED_ORIGIN, servePlanted } from './xss/planted.ts';
import { runPayloads } from './xss/run.ts';
import { createCounts } from './xss/counts.ts';

/** One payload for texts and attributes, and one for URLs. xss.deep.spec.ts enters all payloads. */
const SAMPLE = payloads.filter(({ text }) => /^(?:"><img|java\tscript)/.test(text));

// Chromium logs an error for each payload that the server refuses, so every refusal is allowed here. The detector
// still reports server errors.
test.use({ refusedOnPurpose: /./ });

test('the XSS detector notices both sample payloads on a page without escaping', async ({ browser }) => {
  const context = await browser.newContext();
  const hits = await detectScripts(context, { origins: [PLANTED_ORIGIN] });
  await servePlanted(context, SAMPLE);
  const page = await context.newPage();
  for (const payload of SAMPLE) await openPlanted(page, payload);
  await expect.poll(() => executedIn(hits).size).toBe(SAMPLE.length);
  await context.close();
});

test('neither sample payload runs in any field of the product', async ({ openBrowser }) => {
  const counts = createCounts();
  expect(SAMPLE).toHaveLength(2);
  const hits = await runPayloads({ payloads: SAMPLE, counts, openBrowser });
  expect(hits).toEqual([]);
  expect(counts.incompleteFields(SAMPLE.length)).toEqual([]);
});
