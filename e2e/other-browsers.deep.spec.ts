import { expect, test } from '@playwright/test';
import { requirePackages, startFirefox, startWebKit, type OtherBrowser } from './other-browsers.ts';
import { e2eSettings } from './settings.ts';

const { productUrl } = e2eSettings;

const browsers: readonly (readonly [string, () => Promise<OtherBrowser>])[] = [
  ['Firefox', startFirefox],
  ['WebKit', () => startWebKit({ port: e2eSettings.port + 5 })],
];

const SIGN_IN_LINK =
  "[...document.links].find(({ textContent }) => textContent.includes('Sign in with Twitter'))";

/** Polls, because a page that is loading can't evaluate anything. */
const expectTrue = (browser: OtherBrowser, expression: string) =>
  expect
    .poll(() => browser.evaluate(expression).catch(() => null), { message: expression, timeout: 60_000 })
    .toBe(true);

const expectHeading = (browser: OtherBrowser, text: string) =>
  expectTrue(browser, `document.querySelector('h1')?.textContent.includes(${JSON.stringify(text)}) === true`);

test.describe('other browsers', () => {
  test.skip(process.platform !== 'linux', 'Firefox and WebKitGTK come from Debian’s packages.');
  test.setTimeout(300_000);
  test.beforeAll(requirePackages);

  for (const [name, start] of browsers) {
    test(`signing in and the directory work in ${name}`, async () => {
      const browser = await start();
      try {
        await browser.open(productUrl);
        await expectHeading(browser, 'Find SolCallers');
        await expectTrue(browser, `document.querySelectorAll('main a[href^="/caller/"]').length >= 10`);

        // The directory may be there before the session is known. The link appears after that.
        await expectTrue(browser, `${SIGN_IN_LINK} !== undefined`);
        await browser.evaluate(`${SIGN_IN_LINK}.click()`);
        await expectTrue(browser, `document.querySelector('#handle') !== null`);
        await browser.evaluate(`document.querySelector('#handle').value = 'new_${name}'`);
        await browser.evaluate(`document.querySelector('#handle').form.requestSubmit()`);
        await expectTrue(browser, `location.pathname === '/dashboard'`);
        await expectHeading(browser, 'Welcome, ');

        await browser.open(`${productUrl}/caller/amara_calls`);
        await expectHeading(browser, 'Amara Lanternby');
        await expectTrue(browser, `!document.body.innerText.includes('Sign in with Twitter')`);
      } finally {
        await browser.close();
      }
    });
  }
});
