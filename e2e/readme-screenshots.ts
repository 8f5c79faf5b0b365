import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { root } from '#dev/settings.ts';
import { closeScreen, openScreen, overlays, pages } from './screens.ts';
import { presetAutoApprove, signInByScript } from './steps.ts';

const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

/** Each image shows the first state of a screen. */
const avatars = [
  { file: 'directory', screen: 'directory-cards', colorScheme: 'dark', viewport: desktop },
  { file: 'profile', screen: 'profile-visitor', colorScheme: 'light', viewport: desktop },
  { file: 'dashboard', screen: 'dashboard-caller', colorScheme: 'dark', viewport: desktop },
  { file: 'share', screen: 'share-call', colorScheme: 'dark', viewport: desktop },
  { file: 'pay', screen: 'subscribe-confirm', colorScheme: 'light', viewport: phone },
] as const;

for (const { file, screen: name, colorScheme, viewport } of avatars) {
  test(file, async ({ browser, baseURL }) => {
    const screen = [...pages, ...overlays].find((each) => each.name === name);
    if (!screen) throw new Error(`There is no screen ${name}.`);
    const context = await browser.newContext({
      ...(baseURL === undefined ? {} : { baseURL }),
      viewport,
      colorScheme,
      reducedMotion: 'reduce',
    });
    await presetAutoApprove(context, true);
    if (screen.as !== null) await signInByScript(context.request, screen.as);
    const page = await context.newPage();
    await openScreen(page, { screen, state: 'full' });
    await page.evaluate(() =>
      document.querySelector<HTMLElement>('local-wallet')?.style.setProperty('display', 'none'),
    );
    // The header shows it once the session is known.
    const account = page
      .locator('header')
      .locator('[href^="/api/auth/twitter"], [aria-label="Your account"]');
    await expect(account).not.toHaveCount(0);
    await expect(page.getByText('The connection is slow')).toHaveCount(0);
    await expect.poll(() => countMissingImages(page)).toBe(0);
    const path = join(root, 'docs/images', `${file}.png`);
    await page.screenshot({ path, animations: 'disabled' });
    await closeScreen(page);
    await context.close();
  });
}

/** Counts the images in the window that haven't loaded yet. */
function countMissingImages(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      [...document.images].filter(
        (image) => !image.complete && image.getBoundingClientRect().top < window.innerHeight,
      ).length,
  );
}
