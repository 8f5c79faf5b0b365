import {
  expectAllUsed,
  explanationOf,
  openExplanation,
  openWithoutScripts,
  useControls,
} from './early-input.ts';
import { expect, test } from './fixtures.ts';

test('choices, clicks and keystrokes made before the scripts load take effect on a slow device', async ({
  openBrowser,
}) => {
  const page = await openBrowser();
  const loadScripts = await openWithoutScripts(page);
  await useControls(page);
  loadScripts();
  await expectAllUsed(page);
  const other = await openBrowser();
  const loadOtherScripts = await openWithoutScripts(other);
  await openExplanation(other);
  await expect(explanationOf(other)).toBeVisible();
  loadOtherScripts();
  // React has taken over and has repeated the clicks on other buttons.
  await other.waitForFunction(() => (window as { earlyClicks?: unknown }).earlyClicks === null);
  await expect(explanationOf(other)).toBeVisible();
});
