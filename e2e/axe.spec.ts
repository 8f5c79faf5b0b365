import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { allOf, edited, reads } from './answers.ts';
import { expect, test } from './fixtures.ts';
import { closeScreen, openScreen, overlays, pages } from './screens.ts';
import { signInByScript } from './steps.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const phone = { width: 390, height: 844 };
const desktop = { width: 1440, height: 900 };

/** Of long lists the first rows: more of the same say nothing new. */
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

/** What axe has against the page as it stands: rule and element, in words for the report. The Local Wallet is no part of the product. */
async function findViolations(
  page: Page,
  { isLoading, isOverlay }: { isLoading: boolean; isOverlay: boolean },
): Promise<string[]> {
  await page.evaluate(() => {
    document.querySelector<HTMLElement>('local-wallet')?.style.setProperty('display', 'none');
    // A button that lies half under the bar that stays in sight is no smaller for it: one scrolls.
    scrollTo(0, 0);
  });
  // What is on its way gets its heading when it is there; until then the focus waits on the main part. Menus float
  // outside every landmark by nature. Base UI's focus guards are hidden and focusable on purpose: they pass the focus on.
  const axe = new AxeBuilder({ page }).options({
    resultTypes: ['violations'],
    runOnly: tags,
    rules: { 'page-has-heading-one': { enabled: !isLoading }, region: { enabled: !isOverlay } },
  });
  const { violations } = await axe.exclude('local-wallet').exclude('[data-base-ui-focus-guard]').analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}\n${failureSummary ?? ''}`),
  );
}

/** Chooses a theme as the footer's toggle does. */
function choose(page: Page, theme: 'dark' | 'light'): Promise<void> {
  return page.evaluate((chosen) => void (document.documentElement.dataset['theme'] = chosen), theme);
}

// The states of failure fail on purpose, and so do the pages of what is not there. A trace of each look of axe would cost more than the look.
test.use({
  refusedOnPurpose: /\/api\/|\/caller\/nobody_here$|\/call\/nothing$|\/no\/such\/page$/,
  trace: 'off',
});

for (const screen of [...pages, ...overlays]) {
  test(`axe finds nothing in ${screen.name}`, async ({ openBrowser }) => {
    for (const [index, state] of Object.keys(screen.states).entries()) {
      const page = await openBrowser();
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.setViewportSize(screen.isPhoneOnly === true ? phone : desktop);
      if (screen.as !== null) await signInByScript(page.context().request, screen.as);
      await shortLists(page);
      await openScreen(page, { screen, state });
      const expectNothing = async (where: string) =>
        expect
          .soft(
            await findViolations(page, {
              isLoading: state.startsWith('loading'),
              isOverlay: overlays.includes(screen),
            }),
            `${state}, ${where}`,
          )
          .toEqual([]);
      for (const theme of ['dark', 'light'] as const) {
        await choose(page, theme);
        await expectNothing(theme);
      }
      // The first state stands for the others, which are made of the same parts: it is seen on a phone too.
      if (index === 0 && screen.isPhoneOnly !== true && screen.isFleeting !== true) {
        await page.setViewportSize(phone);
        await expectNothing('light, on a phone');
      }
      await closeScreen(page);
    }
  });
}
