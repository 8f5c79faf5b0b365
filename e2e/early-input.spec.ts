import { expectAllUsed, openExplanation, openWithoutScripts, useControls } from './early-input.ts';
import { expect, test } from './fixtures.ts';

test('choices, clicks and keystrokes from before the scripts load take effect on a slow device', async ({
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
  loadOtherScripts();
  await expect(other.getByRole('dialog')).toBeVisible();
});
