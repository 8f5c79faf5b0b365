import type { Page } from '@playwright/test';
import { START_AT_ONCE } from '#schema/rules/text/start-at-once.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';

interface Focus {
  /** Approximates the accessible name of the focused element. Empty if nothing has the focus. */
  readonly name: string;
  /** True if the outline, shadow or background of the element or of its parent shows the focus. */
  readonly isVisible: boolean;
}

function readFocus(page: Page): Promise<Focus> {
  return page.evaluate(() => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    if (!(focused instanceof HTMLElement) || focused === document.body) return { name: '', isVisible: false };
    const label = focused instanceof HTMLInputElement ? focused.labels?.[0]?.textContent : undefined;
    const name = focused.getAttribute('aria-label') ?? label ?? focused.textContent ?? '';
    const isFocusShown = (element: HTMLElement) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) return true;
      const boxes = [element, element.parentElement].filter((box) => box !== null);
      const readStyles = () =>
        boxes.map((box) => {
          const { outline, boxShadow, backgroundColor } = getComputedStyle(box);
          return `${outline} ${boxShadow} ${backgroundColor}`;
        });
      const withFocus = readStyles();
      element.blur();
      const without = readStyles();
      element.focus({ focusVisible: true });
      return withFocus.some((style, index) => style !== without[index]);
    };
    return { name: name.replace(/\s+/g, ' ').trim(), isVisible: isFocusShown(focused) };
  });
}

const focusIsVisible = async (page: Page) => (await readFocus(page)).isVisible;
const focusedName = async (page: Page) => (await readFocus(page)).name;

/** Presses Tab until the named element has the focus. Expects every element on the way to show its focus. */
async function tabTo(page: Page, name: string | RegExp, backwards = false): Promise<void> {
  for (let stops = 0; stops < 80; stops++) {
    await page.keyboard.press(backwards ? 'Shift+Tab' : 'Tab');
    const reached = await readFocus(page);
    // After the page's last element, Tab focuses the browser's own controls.
    if (reached.name === '') continue;
    expect(reached.isVisible, `the focus on "${reached.name.slice(0, 60)}" is visible`).toBe(true);
    if (typeof name === 'string' ? reached.name === name : name.test(reached.name)) return;
  }
  throw new Error(`Tab never reached ${String(name)}`);
}

/** Presses Tab until the named element has the focus, then Enter. */
async function pressAt(page: Page, name: string | RegExp, backwards = false): Promise<void> {
  await tabTo(page, name, backwards);
  await page.keyboard.press('Enter');
}

test.use({ hasMotion: true });

test('a visitor can sign in, find a caller and pay with the keyboard alone', async ({ page }) => {
  const heading = page.getByRole('heading', { level: 1 });

  await test.step('sign in through X’s page, past the skip link', async () => {
    await page.goto('/');
    await expect(page.getByText('@amara_calls').first()).toBeVisible();
    // The server's HTML doesn't know yet who is signed in.
    await expect(page.getByRole('link', { name: 'Sign in with Twitter' })).toBeVisible();
    await page.keyboard.press('Tab');
    expect(await focusedName(page)).toBe('Skip to content');
    await pressAt(page, 'Sign in with Twitter');
    await expect(page.getByRole('heading', { name: 'Sign in to SolCallers' })).toBeVisible();
    await tabTo(page, 'Or sign in as someone new');
    await page.keyboard.type('keys_only');
    await pressAt(page, 'Sign in');
    await expect(heading).toHaveText(/^Welcome, /);
  });

  await test.step('get SOL from the Local Wallet’s panel', async () => {
    await pressAt(page, 'Open Local Wallet', true);
    await pressAt(page, 'Airdrop 5 SOL');
    await expect(page.getByRole('region', { name: 'Local Wallet' })).toContainText('5.0000 SOL');
    await page.keyboard.press('Escape');
    await expect.poll(() => focusedName(page)).toBe('Open Local Wallet');
  });

  await test.step('open the account menu and close it with Escape', async () => {
    await pressAt(page, 'Your account', true);
    const menu = page.getByRole('navigation', { name: 'Your account' });
    await expect(menu).toBeVisible();
    await tabTo(page, 'Log out');
    expect(await focusIsVisible(page), 'the focus on a menu item is visible').toBe(true);
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect.poll(() => focusedName(page)).toBe('Your account');
  });

  await test.step('open a dialog, choose with the arrow keys, and close it with Escape', async () => {
    await pressAt(page, 'Apply');
    const dialog = page.getByRole('dialog', { name: 'Become a Caller' });
    await expect(dialog).toBeVisible();
    await tabTo(page, 'Free');
    await page.keyboard.press('ArrowRight');
    await expect(dialog.getByRole('radio', { name: 'Paid' })).toBeChecked();
    expect(await focusIsVisible(page)).toBe(true);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect.poll(() => focusedName(page)).toBe('Apply');
  });

  await test.step('open a caller’s profile, whose heading takes the focus', async () => {
    await pressAt(page, 'SolCallers home', true);
    await expect(heading).toHaveText('Find SolCallers');
    await expect(heading).toBeFocused();
    await tabTo(page, 'Search');
    await page.keyboard.type('amara_calls');
    await expect(page).toHaveURL(/search=amara_calls/);
    await expect(page.locator('main [role=listitem]')).toHaveCount(1);
    await tabTo(page, 'Verified only');
    await page.keyboard.press('Space');
    await expect(page).toHaveURL(/verified=true/);
    await pressAt(page, 'Amara Lanternby');
    await expect(heading).toHaveText('Amara Lanternby');
    await expect(heading).toBeFocused();
  });

  await test.step('close the Subscribe dialog, open it again and pay', async () => {
    const dialog = page.getByRole('dialog', { name: 'Subscribe to Amara Lanternby' });
    await pressAt(page, 'Subscribe');
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect.poll(() => focusedName(page)).toBe('Subscribe');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => focusedName(page), 'the dialog focuses its first choice')
      .toMatch(/^I have read and accept/);
    await expectAccessible(page, 'the terms', { isOverlay: true });
    await page.keyboard.press('Space');
    await pressAt(page, 'Continue');
    await pressAt(page, /^Local Wallet/);
    await expect(dialog.getByRole('button', { name: 'Pay 0.5000 SOL' })).toBeVisible();
    await tabTo(page, START_AT_ONCE.request);
    await page.keyboard.press('Space');
    await pressAt(page, 'Pay 0.5000 SOL');
    await expect(dialog.getByText('Receipt', { exact: true })).toBeVisible();
    await pressAt(page, 'Done');
    await expect(dialog).toHaveCount(0);
    // Once the user is subscribed, the dialog's button is gone, so the dialog can't return the focus to it.
    await expect(page.getByText('Subscribed', { exact: true })).toBeVisible();
    await expect(heading).toBeFocused();
  });
});
