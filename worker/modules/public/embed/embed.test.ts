import { expect, it } from 'vitest';
import { createPaidCaller } from '#test/people/callers.ts';
import { createCallerWithCalls } from '#test/people/ended-calls.ts';
import { query } from '#test/database/database.ts';
import { createTestApp } from '#test/test-app.ts';

it('a caller’s card has public figures, and is the same for everybody', async () => {
  const app = await createTestApp();
  const { caller } = await createCallerWithCalls(app, 'paid_caller');
  const path = `/embed/caller/${caller.handle}`;
  const response = await app.request(path);
  const text = await response.text();
  expect(response.headers.get('Cache-Control')).toContain('public');
  expect(text).toContain('1 ranked call');
  expect(text).toContain(`@${caller.handle}`);
  expect(text).not.toMatch(/<script|<style| style=|dogwifhat|WIF/);
  expect(await (await caller.get(path)).text()).toBe(text);
});

it('a caller’s card redirects to its canonical URL, and a hidden caller’s card returns 404', async () => {
  const app = await createTestApp();
  const { caller } = await createPaidCaller(app);
  const location = async (path: string) =>
    (await app.request(path, { isFollowing: false })).headers.get('Location');
  for (const name of [caller.id, caller.handle.toUpperCase(), `${caller.handle}?x=1`]) {
    expect(await location(`/embed/caller/${name}`)).toBe(`/embed/caller/${caller.handle}`);
  }
  await query('UPDATE users SET is_hidden = 1 WHERE id = ?', caller.id);
  await query('UPDATE callers SET is_hidden = 1 WHERE caller_id = ?', caller.id);
  expect((await app.request(`/embed/caller/${caller.handle}`)).status).toBe(404);
});
