import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openApp } from '#web/testing/render-app.tsx';

it('How We Count defines every figure and computes it for the example calls', async () => {
  // Computed by hand from the five example calls: +100%, -50%, -20%, +30%, +150%.
  const examples: readonly (readonly [string, string])[] = [
    ['Win Rate', '3 of 5 ended above their entry: 3 / 5 = 60.0%.'],
    ['Avg Return', 'The average of +100.0%, -50.0%, -20.0%, +30.0%, +150.0% is +42.0%.'],
    ['Proven', 'mean +12.0%, Proven +5.6%. One of +200% and nineteen of 0%: mean +10.0%, Proven -2.7%.'],
    ['Median Return', 'Sorted: -50.0%, -20.0%, +30.0%, +100.0%, +150.0%. The middle is +30.0%.'],
    ['Best and Worst', '+150.0% and -50.0%.'],
    ['Ended at 2x or More', 'AAA (2.00x) and EEE (2.50x): 2 / 5 = 40.0%.'],
    ['Profit Factor', '(100.0% + 30.0% + 150.0%) / (50.0% + 20.0%) = 4.00.'],
    ['Average Peak', 'The average of 2.40x, 1.10x, 1.00x, 1.50x, 3.00x is 1.80x.'],
    [
      'Follower Return',
      'Bought at $2.00 with $100,000 of liquidity: 488.75 tokens. Sold at $3.00 with $80,000: $1,410.32, so +41.0%.',
    ],
    ['After the fee', 'a fee of 0.2 SOL at $150: +$10 a month after the fee, with $100 per call.'],
    ['What would I have made?', 'one of +50% and one of −50%, need $200 and make $0 before swap fees.'],
    ['Open Calls', '(−60% + 50%) / 2 = -5.0%.'],
  ];
  openApp('/how-we-count');
  await screen.findByRole('heading', { level: 1, name: 'How We Count' });
  const shown = screen
    .getAllByRole('article')
    .map((article) => [within(article).getByRole('heading', { level: 3 }).textContent, article.textContent]);
  expect(shown).toEqual(examples.map(([name, text]) => [name, expect.stringContaining(text)]));
});

it('How We Count explains ranking, prices and peaks, each with an anchor', async () => {
  openApp('/how-we-count');
  const links = within(await screen.findByRole('navigation', { name: 'On this page' })).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual(
    ['ranked', 'orders', 'record', 'prices', 'peaks', 'skin'].map((id) => `/how-we-count#${id}`),
  );
  for (const link of links) {
    expect(
      document.querySelector((link.getAttribute('href') ?? '').replace('/how-we-count', ''))?.textContent,
    ).toContain(link.textContent);
  }
  const counted = screen.getByRole('region', { name: 'Which calls count' }).textContent;
  for (const sentence of [
    'less than 25,000 USD of liquidity or 24-hour volume',
    'called the same token within the 24 hours before',
    'Ended after 4 minutes: +200.0% counts as 0.0%, and -50.0% counts as -50.0%.',
    'after 30 days, at the lowest price that our sources have, and at 0 when no price source has had a price for its token for 7 days',
    'From $2 to $0 counts as -100.0%.',
    'at most 10 calls an hour and 30 calls a day',
  ]) {
    expect(counted).toContain(sentence);
  }
  for (const sentence of [
    'ended a ranked call themselves in the last 30 days. The others come second, under “Not proven yet”',
    'paid period of 30 days or more of which we got at least 0.005 SOL',
  ]) {
    expect(screen.getByRole('region', { name: 'Orders' }).textContent).toContain(sentence);
  }
  expect(screen.getByRole('region', { name: 'Price sources' }).textContent).toContain(
    'more than 3%, if neither is at most 60 seconds old',
  );
  expect(screen.getByRole('region', { name: 'Charts and peaks' }).textContent).toContain(
    "store its token's price every 5 minutes",
  );
});
