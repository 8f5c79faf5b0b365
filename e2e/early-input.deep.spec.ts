import {
  expectAllUsed,
  explanationOf,
  openExplanation,
  openWithoutScripts,
  useControls,
} from './early-input.ts';
import { expect, test } from './fixtures.ts';

test('choices, clicks and keystrokes made during hydration take effect on a slow device', async ({
  openBrowser,
}) => {
  const page = await openBrowser();
  const loadScripts = await openWithoutScripts(page);
  loadScripts();
  await useControls(page);
  await expectAllUsed(page);
  const other = await openBrowser();
  const loadOtherScripts = await openWithoutScripts(other);
  loadOtherScripts();
  await openExplanation(other);
  await expect(explanationOf(other)).toBeVisible();
});
