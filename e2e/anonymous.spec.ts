import type { CallerListItem } from '#schema/contracts/callers.ts';
import { journeyDevices } from './devices.ts';
import { expect, test } from './fixtures.ts';

/** Fewer callers than the sample data has. */
const COMPARED = 40;

for (const { name, use } of journeyDevices('desktop')) {
  test.describe(`a visitor on ${name}`, () => {
    test.use({ ...use, refusedOnPurpose: /\/(?:api\/callers|caller)\/nobody_here$|\/no\/such\/page$/ });

    test('a visitor searches, sorts and filters the directory, and the URL keeps the choices', async ({
      page,
    }) => {
      const cards = page.locator('main [role=listitem]');
      const shownIds = async () => {
        const links = await cards
          .getByRole('link')
          .evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
        return new Set(links.flatMap((href) => /^\/caller\/(.+)$/.exec(href)?.[1] ?? []));
      };
      /** Expects the same callers in the same order as in the API's response. */
      const expectCallers = (query: string) =>
        expect
          .poll(async () => {
            const response = await page.request.get(`/api/callers?limit=100${query}`);
            const ids = ((await response.json()) as CallerListItem[]).map(({ id }) => id);
            return [...(await shownIds())].slice(0, COMPARED).join() === ids.slice(0, COMPARED).join();
          })
          .toBe(true);
      await page.goto('/');
      await page.getByRole('button', { name: 'Show more callers' }).click();

      await test.step('the directory sorts', async () => {
        await expectCallers('');
        for (const sort of ['fee', 'winRate']) {
          await page.getByLabel('Sort by').selectOption(sort);
          await expect(page).toHaveURL(new RegExp(`sort=${sort}`));
          await expectCallers(`&sort=${sort}`);
        }
      });

      await test.step('the directory filters by verified, paid and maximum fee', async () => {
        await page.getByLabel('Verified only').check();
        await page.getByLabel('Paid only').check();
        await page.getByLabel('Max fee').fill('0.5');
        await expect(page).toHaveURL(/maxFee=0\.5/);
        await expectCallers('&sort=winRate&verified=true&paid=true&maxFee=0.5');
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
        await expect(page).toHaveURL(/\/(?:\?sort=winRate)?$/);
        await expect(cards.nth(1)).toBeVisible();
      });
    });

    // Specification 2.9, 6.29, 8.49
    test('a visitor is sent from the dashboard to the directory, and sees a not-found page at unknown addresses', async ({
      page,
    }) => {
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
