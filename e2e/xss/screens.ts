import type { Page } from '@playwright/test';
import { cleanLines } from '#schema/rules/text/visible-text.ts';
import { expect } from '../fixtures.ts';
import { messagesIn } from '../steps.ts';
import {
  accountOf,
  actAs,
  expectTexts,
  navigate,
  paste,
  type JourneyOptions,
  type Person,
} from './fixtures.ts';

export async function readMessages(people: readonly Person[], { chatId }: { chatId: number }): Promise<void> {
  const unseen = async () => {
    const all = (await messagesIn(chatId)).join('\n');
    return people.filter(({ mint, text }) => !all.includes(mint) || !all.includes(cleanLines(text)));
  };
  await expect.poll(unseen, { timeout: 60_000 }).toEqual([]);
}

/**
 * Opens each profile as its owner, who enters the payload as bio. Then opens it as a visitor, with each image
 * that contains the payload.
 */
export async function openProfiles(
  people: readonly Person[],
  { owner, visitor, counts }: JourneyOptions,
): Promise<void> {
  await visitor.goto('/how-we-count');
  for (const person of people) {
    const { cookies, user, text, callId } = person;
    await actAs(owner, cookies);
    await owner.goto(`/caller/${user.id}`);
    await expectTexts(owner.getByRole('heading', { level: 1 }), [person]);
    await owner.getByRole('button', { name: 'Your account' }).click();
    await expectTexts(owner.getByRole('menu'), [person]);
    await owner.keyboard.press('Escape');
    await owner.getByRole('button', { name: 'Edit bio' }).click();
    await owner.getByLabel('Bio', { exact: true }).fill(text);
    await owner.getByRole('button', { name: 'Save' }).click();
    await expect(owner.getByRole('dialog')).toHaveCount(0);
    const { bio } = await accountOf(owner.request);
    counts.enter('bio', bio === cleanLines(text));

    const profile = `/caller/${encodeURIComponent(user.twitterHandle)}`;
    counts.enter('caller path', (await checkHead(visitor, profile)) === 200);
    await navigate(visitor, profile);
    const heading = visitor.getByRole('heading', { level: 1 });
    await expectTexts(heading, [person]);
    expect(await checkHead(visitor, `/call/${callId}`)).toBe(200);
    await navigate(visitor, `/call/${callId}`);
    await expect(visitor).toHaveTitle(/%.* by /);
    await expectTexts(heading, [person]);
    for (const path of [`/api/token-calls/${callId}/share.png`, `/api/callers/${user.id}/card.png`]) {
      const image = await visitor.request.get(path);
      expect([image.status(), image.headers()['content-type']]).toEqual([200, 'image/png']);
    }
    await checkSitemap(visitor);
  }
}

/** Expects that a page's HTML contains only our own markup. Returns the page's status. */
async function checkHead(page: Page, path: string): Promise<number> {
  const response = await page.request.get(path);
  const foreign = await page.evaluate(
    (html) => {
      const parsed = new DOMParser().parseFromString(html, 'text/html');
      const shell =
        'html, head, title, meta[content], meta[charset], link, body, div, script[src^="/"], ' +
        'script#first-page[type="application/json"]';
      // React writes the content of #root.
      const inContent =
        '#root *:not(script, style, meta, link, base, iframe, object, embed, form, math, template, ' +
        'img:not([src^="/"]), a:not([href^="/"], [href^="#"], [href^="https://"]))';
      const isOurs = (element: Element) =>
        element.matches(`${shell}, ${inContent}`) &&
        !element.getAttributeNames().some((name) => name.startsWith('on') || name === 'http-equiv');
      return Array.from(parsed.querySelectorAll('*'))
        .filter((element) => !isOurs(element))
        .map(({ outerHTML }) => outerHTML);
    },
    await response.text(),
  );
  expect(foreign, path).toEqual([]);
  return response.status();
}

/** Expects a sitemap that contains only a sitemap's own tags. */
async function checkSitemap(page: Page): Promise<void> {
  const response = await page.request.get('/sitemap-callers.xml');
  expect(response.status()).toBe(200);
  const tags = await page.evaluate(
    (xml) => {
      const sitemap = new DOMParser().parseFromString(xml, 'application/xml');
      return [...new Set(Array.from(sitemap.querySelectorAll('*'), ({ tagName }) => tagName))].toSorted();
    },
    await response.text(),
  );
  expect(tags.filter((tag) => !['lastmod', 'loc', 'url', 'urlset'].includes(tag))).toEqual([]);
}

export async function showFollowed(
  people: readonly Person[],
  { follower, counts }: JourneyOptions,
): Promise<void> {
  for (const { user } of people) {
    expect((await follower.request.put(`/api/user/notifications/mutes/${user.id}`)).ok()).toBe(true);
  }
  await follower.goto('/dashboard');
  await expectTexts(follower.getByRole('list', { name: 'Your Subscriptions' }), people);
  const showAll = follower.getByRole('button', { name: /^Show all/ });
  if (await showAll.isVisible()) await showAll.click();
  await expectTexts(follower.getByRole('list', { name: 'Ended Calls' }), people);
  await follower.goto('/settings/notifications');
  await follower.getByText('Muted callers:').click();
  await expectTexts(follower.getByRole('group', { name: 'Muted callers' }), people);
  // The shared cache keeps the page for up to 40 s.
  await expect(async () => {
    await follower.goto('/recent-calls');
    await expectTexts(follower.locator('#main'), people, { timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await follower.goto('/');
  for (const { text } of people) {
    const hasResponded = follower.waitForResponse(/\/api\/callers\?/);
    await follower.getByRole('searchbox', { name: 'Search' }).fill(text);
    await hasResponded;
    const maxFee = follower.getByLabel('Max fee');
    await paste(maxFee, text);
    counts.enter('directory search', true);
    counts.enter('directory max fee', (await maxFee.inputValue()) === text);
    await maxFee.fill('');
  }
}
