import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DOCUMENT_VERSIONS, DOCUMENTS } from '#schema/constants/people.ts';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { openApp } from '#web/testing/render-app.tsx';

it.each([
  ['Compare', '/compare'],
  ['How we count', '/how-we-count'],
  ['Sealed calls', '/sealed-calls'],
  ['Terms', '/terms'],
  ['Privacy', '/privacy'],
  ['Risks', '/risk'],
] as const)(
  'the footer has the link "%s", whose page has a title and a heading that takes the focus',
  async (name, path) => {
    const { router } = openApp('/', { 'GET /api/callers': [] });
    const link = await within(await screen.findByRole('contentinfo')).findByRole('link', { name });
    expect(link.getAttribute('href')).toBe(path);
    await act(() => router.navigate({ to: path }));
    const { title } = PAGES[path];
    const heading = await screen.findByRole('heading', { level: 1, name: title });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    expect(document.title).toBe(`${title} · SolCallers`);
  },
);

it.each(DOCUMENTS)('the page /%s shows its version', async (name) => {
  openApp(`/${name}`);
  await screen.findByRole('heading', { level: 1 });
  expect(document.querySelector(`time[datetime="${DOCUMENT_VERSIONS[name]}"]`)).not.toBeNull();
});
