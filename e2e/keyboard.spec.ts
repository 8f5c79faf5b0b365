import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/**
 * True if the focused element shows its focus. The outline, shadow or background of the element or of its
 * parent may show it.
 */
function focusIsVisible(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    if (!(focused instanceof HTMLElement) || focused === document.body) return false;
    const styleOf = (element: Element) => {
      const { outlineStyle, outlineWidth, boxShadow, backgroundColor } = getComputedStyle(element);
      return `${outlineStyle === 'none' ? '' : outlineWidth} ${boxShadow} ${backgroundColor}`;
    };
    const boxes = [focused, focused.parentElement].filter((box) => box !== null);
    const withFocus = boxes.map(styleOf);
    const { outlineStyle, outlineWidth } = getComputedStyle(focused);
    if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) return true;
    focused.blur();
    const without = boxes.map(styleOf);
    focused.focus({ focusVisible: true });
    return withFocus.some((style, index) => style !== without[index]);
  });
}

/** Approximates the accessible name of the focused element. */
function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    if (!focused) return '';
    const label = focused instanceof HTMLInputElement ? focused.labels?.[0]?.textContent : undefined;
    return (focused.getAttribute('aria-label') ?? label ?? focused.textContent ?? '')
      .replace(/\s+/g, ' ')
      .trim();
  });
}

/** Presses Tab until the named element has the focus. Expects every element on the way to show its focus. */
async function tabTo(page: Page, name: string | RegExp, backwards = false): Promise<void> {
  const matches = (text: string) => (typeof name === 'string' ? text === name : name.test(text));
  for (let stops = 0; stops < 80; stops++) {
    await page.keyboard.press(backwards ? 'Shift+Tab' : 'Tab');
    const reached = await focusedName(page);
    // After the page's last element, Tab focuses the browser's own controls.
    if (reached === '' || (await page.evaluate(() => document.activeElement === document.body))) continue;
    expect(await focusIsVisible(page), `the focus on "${reached.slice(0, 60)}" is visible`).toBe(true);
    if (matches(reached)) return;
  }
  throw new Error(`Tab never reached ${String(name)}`);
}

test.use({ hasMotion: true });

test('a visitor can sign in, find a caller and pay with the keyboard alone', async ({ openBrowser }) => {
  const page = await openBrowser();
  const heading = page.getByRole('heading', { level: 1 });

  await test.step('sign in through X’s page, past the skip link', async () => {
    await page.goto('/');
    await expect(page.getByText('@amara_calls').first()).toBeVisible();
    // The server's HTML doesn't know yet who is signed in.
    await expect(page.getByRole('link', { name: 'Sign in with Twitter' })).toBeVisible();
    await page.keyboard.press('Tab');
    expect(await focusedName(page)).toBe('Skip to content');
    await tabTo(page, 'Sign in with Twitter');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Sign in to SolCallers' })).toBeVisible();
    await tabTo(page, 'Or sign in as someone new');
    await page.keyboard.type('keys_only');
    await tabTo(page, 'Sign in');
    await page.keyboard.press('Enter');
    await expect(heading).toHaveText(/^Welcome, /);
  });

  await test.step('get SOL from the Local Wallet’s panel', async () => {
    await tabTo(page, 'Open Local Wallet', true);
    await page.keyboard.press('Enter');
    await tabTo(page, 'Airdrop 5 SOL');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('region', { name: 'Local Wallet' })).toContainText('5.0000 SOL');
    await page.keyboard.press('Escape');
    await expect.poll(() => focusedName(page)).toBe('Open Local Wallet');
  });

  await test.step('open the account menu and close it with Escape', async () => {
    await tabTo(page, 'Your account', true);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menu')).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeVisible();
    expect(await focusIsVisible(page), 'the focus on a menu item is visible').toBe(true);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toHaveCount(0);
    await expect.poll(() => focusedName(page)).toBe('Your account');
  });

  await test.step('open a dialog, choose with the arrow keys, and close it with Escape', async () => {
    await tabTo(page, 'Apply');
    await page.keyboard.press('Enter');
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
    await tabTo(page, 'SolCallers home', true);
    await page.keyboard.press('Enter');
    await expect(heading).toHaveText('Find SolCallers');
    await expect(heading).toBeFocused();
    await tabTo(page, 'Search');
    await page.keyboard.type('amara_calls');
    await expect(page).toHaveURL(/search=amara_calls/);
    await expect(page.locator('main [role=listitem]')).toHaveCount(1);
    await tabTo(page, 'Verified only');
    await page.keyboard.press('Space');
    await expect(page).toHaveURL(/verified=true/);
    await tabTo(page, 'Amara Lanternby');
    await page.keyboard.press('Enter');
    await expect(heading).toHaveText('Amara Lanternby');
    await expect(heading).toBeFocused();
  });

  await test.step('close the Subscribe dialog, open it again and pay', async () => {
    const dialog = page.getByRole('dialog', { name: 'Subscribe to Amara Lanternby' });
    await tabTo(page, 'Subscribe');
    await page.keyboard.press('Enter');
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect.poll(() => focusedName(page)).toBe('Subscribe');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => focusedName(page), 'the dialog focuses its first choice')
      .toMatch(/^I have read and accept/);
    await page.keyboard.press('Space');
    await tabTo(page, 'Continue');
    await page.keyboard.press('Enter');
    await tabTo(page, /^Local Wallet/);
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('button', { name: 'Pay 0.5000 SOL' })).toBeVisible();
    await tabTo(page, 'Pay 0.5000 SOL');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('Receipt', { exact: true })).toBeVisible();
    await tabTo(page, 'Done');
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    // Once the user is subscribed, the dialog's button is gone, so the dialog can't return the focus to it.
    await expect(page.getByText('Subscribed', { exact: true })).toBeVisible();
    await expect(heading).toBeFocused();
  });
});

test('a visitor can find a token and its calls with the keyboard alone', async ({ openBrowser }) => {
  const page = await openBrowser();
  const heading = page.getByRole('heading', { level: 1 });
  await page.goto('/');
  await expect(page.getByText('@amara_calls').first()).toBeVisible();
  await tabTo(page, 'Search');
  await page.keyboard.type('bonfida');
  await expect(page.getByRole('navigation', { name: 'Tokens' })).toBeVisible();
  await tabTo(page, /^FIDA ?Bonfida/);
  await page.keyboard.press('Enter');
  await expect(heading).toHaveText('Bonfida FIDA');
  await expect(heading).toBeFocused();
  await tabTo(page, 'Copy mint of FIDA');
  await tabTo(page, /^Buy/);
  await tabTo(page, /^[A-Z][a-z]{2} \d+, \d{4}$/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/call\//);
  // The token's page has the same heading, without the focus.
  await expect(heading).toBeFocused();
  await expect(heading).toHaveText(/^Bonfida/);
  await tabTo(page, 'FIDA');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/token\//);
  await expect(heading).toBeFocused();
});
