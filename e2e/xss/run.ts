import type { Page } from '@playwright/test';
import { controlUrl, e2eSettings, solanaUrl } from '../settings.ts';
import { detectScripts } from './detector.ts';
import { enterEverywhere } from './journey.ts';
import type { Payload } from './payloads.ts';
import type { Counts } from './counts.ts';

export interface RunOptions {
  readonly payloads: readonly Payload[];
  readonly counts: Counts;
  readonly openBrowser: () => Promise<Page>;
}

/** Enters up to ten payloads everywhere. Returns everything that `detectScripts` has found. */
export async function runPayloads({ payloads, counts, openBrowser }: RunOptions): Promise<string[]> {
  const origins = [e2eSettings.productUrl, new URL(controlUrl).origin, solanaUrl];
  const open = async (place: number) => {
    const page = await openBrowser();
    // Each browser has its own network address, because requests are limited per address.
    const address = `10.${payloads[0]?.number}.${place}.1`;
    await page.context().setExtraHTTPHeaders({ 'CF-Connecting-IP': address });
    return { page, hits: await detectScripts(page.context(), { origins }) };
  };
  const [owner, caller, follower, visitor] = [await open(1), await open(2), await open(3), await open(4)];
  await enterEverywhere({
    payloads,
    counts,
    owner: owner.page,
    caller: caller.page,
    follower: follower.page,
    visitor: visitor.page,
  });
  const browsers = [owner, caller, follower, visitor];
  // Makes a last round trip, so that everything that ran has been reported.
  for (const { page } of browsers) await page.evaluate(() => document.title);
  await Promise.all(browsers.map(({ page }) => page.context().close()));
  return browsers.flatMap(({ hits }) => hits);
}
