import { expect, type Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Kind {
  readonly isLoading?: boolean;
  /** True for an open dialog, menu or toast. */
  readonly isOverlay?: boolean;
}

/** Expects that axe finds no violation, except in the Local Wallet, which isn't part of the product. */
export async function expectAccessible(
  page: Page,
  place: string,
  { isLoading = false, isOverlay = false }: Kind = {},
): Promise<void> {
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
  const violations = await page.evaluate(runAxe, options);
  expect.soft(violations, place).toEqual([]);
}

/** Runs in the page. */
async function runAxe(options: RunOptions): Promise<string[]> {
  const inPage = window as unknown as { axe: typeof axe };
  const wallet = document.querySelector<HTMLElement>('local-wallet');
  wallet?.style.setProperty('display', 'none');
  // Half-transparent text has too little contrast.
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  }
  // A button that is half covered by the sticky bar would count as too small.
  scrollTo(0, 0);
  // Further rows of a list repeat the same markup.
  const repeated = ':is(ul, ol, tbody, [role=list]) > :nth-child(n + 7)';
  const exclude = ['local-wallet', '[data-base-ui-focus-guard]', repeated];
  const { violations } = await inPage.axe.run({ exclude }, options);
  wallet?.style.removeProperty('display');
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}\n${failureSummary ?? ''}`),
  );
}
