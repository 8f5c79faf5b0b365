import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { test } from './fixtures.ts';
import { closeScreen, openScreen, overlays, pages, type Screen } from './screens.ts';
import { signInByScript } from './steps.ts';

const phone = { width: 390, height: 844 };
const desktop = { width: 1440, height: 900 };

interface Appearance {
  readonly theme: 'dark' | 'light';
  readonly size: typeof phone;
}

/** Only the first state is also checked on a phone, because the other states have the same elements. */
function appearancesOf({ isPhoneOnly, isFleeting }: Screen, isFirstState: boolean): readonly Appearance[] {
  const size = isPhoneOnly === true ? phone : desktop;
  const isOnPhoneToo = isFirstState && isPhoneOnly !== true && isFleeting !== true;
  const both: Appearance[] = [
    { theme: 'dark', size },
    { theme: 'light', size },
  ];
  return isOnPhoneToo ? [...both, { theme: 'light', size: phone }] : both;
}

async function openState(page: Page, { screen, state }: { screen: Screen; state: string }): Promise<void> {
  await page.setViewportSize(screen.isPhoneOnly === true ? phone : desktop);
  if (screen.as !== null) await signInByScript(page.context().request, screen.as);
  await openScreen(page, { screen, state });
}

// In error states and on missing pages, requests fail on purpose.
test.use({
  refusedOnPurpose:
    /\/api\/|\/log\/|\/caller\/nobody_here$|\/call\/nothing$|\/token\/nothing$|\/no\/such\/page$/,
});

for (const screen of [...pages, ...overlays]) {
  test(`axe finds no violation in ${screen.name}`, async ({ openBrowser }) => {
    for (const [index, state] of Object.keys(screen.states).entries()) {
      const page = await openBrowser();
      await openState(page, { screen, state });
      for (const { theme, size } of appearancesOf(screen, index === 0)) {
        await page.setViewportSize(size);
        await page.evaluate((chosen) => void (document.documentElement.dataset['theme'] = chosen), theme);
        await expectAccessible(page, `${state}, ${theme}, ${size.width} px wide`, {
          isLoading: state.startsWith('loading'),
          isOverlay: overlays.includes(screen),
        });
      }
      await closeScreen(page);
    }
  });
}
