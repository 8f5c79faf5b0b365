import type { Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';
import { allOf, edited, reads } from './responses.ts';
import { expect, test } from './fixtures.ts';
import { closeScreen, openScreen, overlays, pages, type Screen } from './screens.ts';
import { isDeep } from './settings.ts';
import { signInByScript } from './steps.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const phone = { width: 390, height: 844 };
const desktop = { width: 1440, height: 900 };

type Theme = 'dark' | 'light';

interface Appearance {
  readonly theme: Theme;
  readonly size: { readonly width: number; readonly height: number };
}

/** Cuts long lists to four rows, because further rows repeat the same markup. */
const shortLists = allOf(
  ...[
    reads.callers,
    reads.endedCalls,
    reads.callsOfCaller,
    reads.subscriptions,
    reads.payments,
    reads.earnings,
    reads.deliveries,
  ].map((address) => edited(address, (rows: unknown) => (Array.isArray(rows) ? rows.slice(0, 4) : rows))),
);

/** Lists axe's violations on the current page, except in the Local Wallet, which isn't part of the product. */
async function findViolations(
  page: Page,
  { isLoading, isOverlay }: { isLoading: boolean; isOverlay: boolean },
): Promise<string[]> {
  await page.evaluate(() => {
    document.querySelector<HTMLElement>('local-wallet')?.style.setProperty('display', 'none');
    // Scrolls to the top, because a button that is half covered by the sticky bar would count as too small.
    scrollTo(0, 0);
  });
  // These rules are off where they don't apply. A page that is still loading has no heading yet. Menus are
  // outside every landmark. Base UI's hidden focus guards are focusable on purpose.
  const options: RunOptions = {
    resultTypes: ['violations'],
    runOnly: tags,
    rules: {
      'page-has-heading-one': { enabled: !isLoading },
      region: { enabled: !isOverlay },
    },
  };
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate((chosen) => {
    const inPage = window as unknown as { axe: typeof axe };
    return inPage.axe.run({ exclude: ['local-wallet', '[data-base-ui-focus-guard]'] }, chosen);
  }, options);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}\n${failureSummary ?? ''}`),
  );
}

function choose(page: Page, theme: Theme): Promise<void> {
  return page.evaluate((chosen) => void (document.documentElement.dataset['theme'] = chosen), theme);
}

/**
 * Returns the sizes and themes to check: of each screen's first state, dark on a desktop and light on a phone, of which
 * `npm test` checks one. `npm run test:deep` also checks all states in both themes.
 */
function appearancesOf({
  screen,
  index,
  isFirstState,
}: {
  screen: Screen;
  index: number;
  isFirstState: boolean;
}): readonly Appearance[] {
  const first = screen.isPhoneOnly === true ? phone : desktop;
  const isOnPhoneToo = isFirstState && screen.isPhoneOnly !== true && screen.isFleeting !== true;
  const dark: Appearance = { theme: 'dark', size: first };
  // Only the first state is also checked on a phone, because the other states have the same elements.
  const light: Appearance = { theme: 'light', size: isOnPhoneToo ? phone : first };
  if (isDeep) return isOnPhoneToo ? [dark, { theme: 'light', size: first }, light] : [dark, light];
  return [index % 2 === 0 ? dark : light];
}

async function openState(page: Page, { screen, state }: { screen: Screen; state: string }): Promise<void> {
  await page.setViewportSize(screen.isPhoneOnly === true ? phone : desktop);
  if (screen.as !== null) await signInByScript(page.context().request, screen.as);
  await shortLists(page);
  await openScreen(page, { screen, state });
}

// In error states and on missing pages, requests fail on purpose.
test.use({
  refusedOnPurpose:
    /\/api\/|\/log\/|\/caller\/nobody_here$|\/call\/nothing$|\/token\/nothing$|\/no\/such\/page$/,
});

const screens = [...pages, ...overlays];
/** `npm test` checks a quarter of the screens, half of them on a phone, and `npm run test:deep` all. */
const sample = screens
  .filter(({ isVariant }) => isVariant !== true)
  .filter((_, position) => position % 2 === 1);

for (const [index, screen] of (isDeep ? screens : sample).entries()) {
  if (!isDeep && index % 4 > 1) continue;
  const states = Object.keys(screen.states);
  test(`axe finds no violation in ${screen.name}`, async ({ openBrowser }) => {
    for (const [stateIndex, state] of (isDeep ? states : states.slice(0, 1)).entries()) {
      const page = await openBrowser();
      await openState(page, { screen, state });
      const options = { isLoading: state.startsWith('loading'), isOverlay: overlays.includes(screen) };
      for (const { theme, size } of appearancesOf({ screen, index, isFirstState: stateIndex === 0 })) {
        await page.setViewportSize(size);
        await choose(page, theme);
        const violations = await findViolations(page, options);
        expect.soft(violations, `${state}, ${theme}, ${size.width} px wide`).toEqual([]);
      }
      await closeScreen(page);
    }
  });
}
