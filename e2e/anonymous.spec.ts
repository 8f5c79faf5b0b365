import type { CallerListItem } from '#schema/contracts/callers.ts';
import { CALLER_SORTS } from '#schema/constants.ts';
import { journeyDevices } from './devices.ts';
import { expect, test } from './fixtures.ts';

type Sort = (typeof CALLER_SORTS)[number];

/** The number that each order sorts by, or null for a caller without a record. */
const valueOf: Record<Sort, (caller: CallerListItem) => number | null> = {
  avgReturn: (caller) => caller.avgReturn,
  winRate: (caller) => caller.winRate,
  proven: (caller) => caller.proven,
  followerReturn: (caller) => caller.followerReturn,
  subscribers: (caller) => caller.subscriberCount,
  totalCalls: (caller) => caller.totalCalls,
  lastCall: (caller) => (caller.lastCallTimestamp === null ? null : Date.parse(caller.lastCallTimestamp)),
  fee: (caller) => Number(caller.monthlyFee ?? 0),
};

/** In these orders, callers whose Proven isn't above 0 come last. */
const recordSorts: readonly Sort[] = ['avgReturn', 'winRate', 'proven', 'followerReturn'];
const isLast = (sort: Sort, { proven }: CallerListItem) =>
  recordSorts.includes(sort) && (proven === null || proven <= 0);

for (const { name, isPhone, use } of journeyDevices('desktop')) {
  test.describe(`a visitor on ${name}`, () => {
    test.use({ ...use, refusedOnPurpose: /\/(?:api\/callers|caller)\/nobody_here$|\/no\/such\/page$/ });

    test('a visitor searches, sorts and filters the directory, and the URL keeps the choices', async ({
      openBrowser,
    }) => {
      const page = await openBrowser();
      const cards = page.locator('main [role=listitem]');
      const read = async (query: string) =>
        (await (await page.request.get(`/api/callers${query}`)).json()) as CallerListItem[];
      // An address that no earlier test has requested, so that the response isn't from the shared cache.
      const everybody = await read(`?limit=${isPhone ? 98 : 99}`);
      // The first request makes the cache renew an old response, here and for the page below.
      for (const query of ['', ...CALLER_SORTS.map((sort) => `?sort=${sort}`)]) {
        await expect.poll(async () => new Set(await read(query))).toEqual(new Set(everybody));
      }
      const byId = new Map(everybody.map((caller) => [caller.id, caller]));
      await expect(async () => {
        await page.goto('/');
        await page.getByRole('button', { name: 'Show more callers' }).click();
        await expect(cards).toHaveCount(everybody.length, { timeout: 2_000 });
      }).toPass();
      const shownCallers = async () => {
        const links = await cards
          .getByRole('link')
          .evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
        return links.flatMap((href) => byId.get(href.split('/').at(-1) ?? '') ?? []);
      };

      await test.step('the directory sorts in six orders', async () => {
        for (const sort of CALLER_SORTS.toReversed()) {
          await page.getByLabel('Sort by').selectOption(sort);
          await expect(page).toHaveURL(sort === 'avgReturn' ? /\/$/ : new RegExp(`sort=${sort}`));
          await expect
            .poll(
              async () => {
                const shown = await shownCallers();
                const groups = [false, true].map((last) =>
                  shown.filter((caller) => isLast(sort, caller) === last),
                );
                const isSorted = groups.every((group) => {
                  const values = group.flatMap((caller) => valueOf[sort](caller) ?? []);
                  return values.every((value, index) => index === 0 || value <= (values[index - 1] ?? value));
                });
                const order = shown.map(({ id }) => id);
                return (
                  shown.length === everybody.length &&
                  isSorted &&
                  order.join() === groups.flatMap((group) => group.map(({ id }) => id)).join()
                );
              },
              { message: sort },
            )
            .toBe(true);
        }
      });

      await test.step('the directory filters by verified, paid and maximum fee', async () => {
        await page.getByLabel('Verified only').check();
        await page.getByLabel('Paid only').check();
        await page.getByLabel('Max fee').fill('0.5');
        await expect(page).toHaveURL(/maxFee=0\.5/);
        const wanted = everybody.filter(
          ({ isVerified, monthlyFee }) => isVerified && monthlyFee !== null && Number(monthlyFee) <= 0.5,
        );
        await expect
          .poll(async () => (await shownCallers()).map(({ id }) => id).sort())
          .toEqual(wanted.map(({ id }) => id).sort());
      });

      await test.step('the directory finds a caller by a search', async () => {
        await page.getByLabel('Search').fill('amara');
        await expect(cards).toHaveCount(1);
        await expect(cards).toContainText('@amara_calls');
      });

      await test.step('the table view survives a reload', async () => {
        await page.getByRole('radio', { name: 'Table' }).check();
        await expect(page.getByRole('table', { name: 'Callers' })).toContainText('@amara_calls');
        await page.reload();
        const rows = page.getByRole('table', { name: 'Callers' }).locator('tbody').getByRole('row');
        await expect(rows.filter({ has: page.getByRole('link') })).toHaveCount(1);
        await expect(page.getByLabel('Search')).toHaveValue('amara');
        await expect(page.getByLabel('Max fee')).toHaveValue('0.5');
        await expect(page.getByLabel('Verified only')).toBeChecked();
        await expect(page.getByLabel('Paid only')).toBeChecked();
      });

      await test.step('the back button restores the earlier choices', async () => {
        await page.goBack();
        await expect(page.getByRole('radio', { name: 'Cards' })).toBeChecked();
        await expect(cards).toHaveCount(1);
      });

      await test.step('clearing all filters shows the callers again', async () => {
        await page.getByLabel('Search').fill('nobody is called this');
        await expect(page.getByText('No Callers Found')).toBeVisible();
        await page.getByRole('button', { name: 'Clear filters' }).first().click();
        await expect(cards).toHaveCount(everybody.length);
        await expect(page).toHaveURL(/\/$/);
      });
    });

    // Specification 2.9, 6.29, 8.49
    test('a visitor is sent from the dashboard to the directory, and sees a not-found page at unknown addresses', async ({
      openBrowser,
    }) => {
      const page = await openBrowser();
      await page.goto('/dashboard');
      await expect(page).toHaveURL(/\/$/);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Find SolCallers');
      await page.goto('/no/such/page');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page Not Found');
      await page.goto('/caller/nobody_here');
      await expect(
        page.getByText("The caller you're looking for doesn't exist or may have changed their username."),
      ).toBeVisible();
      await page.getByRole('link', { name: 'Back to Directory' }).click();
      await expect(page).toHaveURL(/\/$/);
    });
  });
}
