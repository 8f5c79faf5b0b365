import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { caller, dashboardApi } from '#web/testing/dashboard-samples.ts';
import { refuse, type FakeRoutes } from '#web/testing/fake-api.ts';
import { click } from '#web/testing/find-in-page.ts';
import { openApp } from '#web/testing/render-app.tsx';
import { expectToast } from '#web/testing/render-screen.tsx';
import { activeCall, adaProfile, endedCall } from '#web/testing/samples.ts';

const mine = { ...endedCall, callerId: caller.id };
const IMAGE = 'GET /api/token-calls/call-1/share.png';
const png = () =>
  new Response(new Blob([new Uint8Array([0x89, 0x50])], { type: 'image/png' }), {
    headers: { 'Content-Type': 'image/png' },
  });

function open(path: string, routes: FakeRoutes = {}) {
  return openApp(path, {
    ...dashboardApi,
    [`GET /api/token-calls/caller/${caller.id}/history`]: [{ ...activeCall, callerId: caller.id }, mine],
    [IMAGE]: png,
    ...routes,
  }).calls;
}

const ways = { authorizeUrl: '/api/auth/twitter?share=1', composeUrl: 'https://x.com/intent/post' };
/** Stores a share that was interrupted by a visit to X. */
const resume = (call: object) => sessionStorage.setItem('share-resume', JSON.stringify({ call, ways }));
const shareButton = () => screen.findByRole('button', { name: 'Share BONK' }, { timeout: 5_000 });
const dialog = () => screen.findByRole('dialog', { name: 'Share Your Call' }, { timeout: 5_000 });

it('the share button is busy while the image loads, and requests the image once', async () => {
  let requests = 0;
  open('/dashboard', { [IMAGE]: () => new Promise(() => void requests++) });
  fireEvent.click(await shareButton());
  await waitFor(async () => expect((await shareButton()).getAttribute('aria-busy')).toBe('true'));
  fireEvent.click(await shareButton());
  expect(requests).toBe(1);
});

// Specification 8.21
it.each([
  ['is refused', () => refuse(404, 'calls.not_found', 'This call does not exist.')],
  ['returns an HTML page', () => new Response('<html></html>', { headers: { 'Content-Type': 'text/html' } })],
  ['gets no response', () => Promise.reject(new Error('offline'))],
])('the share button shows Preview Failed when the image request %s', async (_name, response) => {
  open('/dashboard', { [IMAGE]: response });
  fireEvent.click(await shareButton());
  await expectToast('Preview Failed', 'Unable to generate share preview');
  expect(screen.queryByRole('dialog')).toBeNull();
});

// Specification 4.36
it('the share dialog shows a redrawn image without losing the tweet text', async () => {
  const newImage = 'data:image/png;base64,iVBORw==';
  const responses = [
    refuse(409, 'shares.image_changed', 'The image has changed.', { imageDataUrl: newImage }),
    { tweetUrl: 'https://x.com/i/status/7' },
  ];
  const calls = open('/dashboard', { 'POST /api/twitter-post': () => responses.shift() });
  const posted = () => calls.filter(({ route }) => route === 'POST /api/twitter-post');
  vi.spyOn(window, 'open').mockReturnValue({ opener: null } as Window);
  fireEvent.click(await shareButton());
  await dialog();
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Tweet' });
  fireEvent.change(field, { target: { value: 'my text' } });
  click('Post tweet');
  await expectToast(
    'The image has changed',
    'The preview shows the new image. Your text is kept. Check both, then post again.',
  );
  expect(screen.getByRole('img', { name: /^Share image/ }).getAttribute('src')).toBe(newImage);
  expect(field.value).toBe('my text');
  click('Post tweet');
  await waitFor(() =>
    expect(posted().map(({ body }) => body)).toEqual([
      { text: 'my text', imageDataUrl: 'data:image/png;base64,iVA=' },
      { text: 'my text', imageDataUrl: newImage },
    ]),
  );
  vi.restoreAllMocks();
});

it('the share dialog reopens once after the caller returns from X, but not for another user', async () => {
  resume(mine);
  open('/dashboard', { 'GET /api/auth/user': { ...caller, canPostOnX: true } });
  await dialog();
  expect(sessionStorage.getItem('share-resume')).toBeNull();
  screen.getByRole('button', { name: 'Post tweet' });
  screen.getByText('SolCallers can post on X for you.');
  cleanup();
  resume({ ...mine, callerId: 'somebody-else' });
  open('/dashboard');
  await shareButton();
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('the share dialog no longer shows the posting permission after the user disconnects X', async () => {
  let canPostOnX = true;
  open('/dashboard', {
    'GET /api/auth/user': () => ({ ...caller, canPostOnX }),
    'DELETE /api/user/x-posting': () => {
      canPostOnX = false;
      return { message: 'SolCallers can no longer post on X for you.', isRevokedOnX: true };
    },
  });
  fireEvent.click(await shareButton());
  await dialog();
  click('Disconnect');
  await expectToast('Disconnected from X');
  await waitFor(() => expect(screen.queryByText('SolCallers can post on X for you.')).toBeNull());
  screen.getByRole('button', { name: 'Post tweet' });
});

// Specification 6.22
it.each([true, false])(
  'a profile has Share buttons for ended calls only if the viewer is the owner (owner: %s)',
  async (isOwner) => {
    const viewer = { ...adaProfile.viewer, isOwner };
    open('/caller/ada', {
      'GET /api/callers/ada': { ...adaProfile, id: caller.id, viewer },
      'GET /api/auth/user': isOwner ? caller : { ...caller, id: 'another' },
    });
    await screen.findByRole('link', { name: 'Buy BONK' });
    await screen.findByRole('button', { name: 'Your account' });
    expect(screen.queryByRole('button', { name: 'Share WIF' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Share BONK' }) !== null).toBe(isOwner);
    if (isOwner) {
      click('Share BONK');
      await dialog();
    }
  },
);
