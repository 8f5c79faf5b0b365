import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { findTweetTextProblem } from '#schema/rules/text/tweet-text.ts';
import { refuse, type FakeRoutes } from '#web/testing/fake-api.ts';
import { hrefOf } from '#web/testing/find-in-page.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { endedCall } from '#web/testing/samples.ts';
import { ShareDialog, type ShareDialogProps } from './share-dialog.tsx';
import { hasEnded } from '#web/lib/calls/ended-call.ts';
import { defaultShareText, describeShareImage } from './share-text.ts';

const ROUTE = 'POST /api/twitter-post';
const TWEET = 'https://x.com/i/status/7';
const IMAGE = 'data:image/png;base64,iVBORw0KGgo=';
const call = hasEnded(endedCall) ? endedCall : expect.unreachable();
const text = defaultShareText(call);
const LINK = `${window.location.origin}/call/call-1`;
const WAYS = { authorizeUrl: '/api/auth/twitter?share=1', composeUrl: 'https://x.com/intent/post' };

type Options = Partial<Pick<ShareDialogProps, 'canPostOnX' | 'declinedWays'>> & {
  tab?: { opener: unknown } | null;
  routes?: FakeRoutes;
};

function show(
  response: FakeRoutes[string] = { tweetUrl: TWEET },
  { tab = { opener: window }, routes = {}, ...props }: Options = {},
) {
  const onOpenChange = vi.fn();
  const open = vi.spyOn(window, 'open').mockReturnValue(tab as Window | null);
  const shown = renderScreen(
    <ShareDialog
      call={call}
      imageDataUrl={IMAGE}
      canPostOnX={false}
      declinedWays={null}
      {...props}
      open
      onOpenChange={onOpenChange}
      onImageChange={() => {}}
    />,
    { api: { ...routes, [ROUTE]: response } },
  );
  return { ...shown, onOpenChange, open, tab };
}

const needConsent = () =>
  refuse(403, 'shares.consent_needed', 'Allow SolCallers to post on X for you first.', WAYS);
const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Tweet' });
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const postButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Post tweet' });
const press = () => fireEvent.click(postButton());

// Specification 2.6, 2.38
it('the Share Your Call dialog shows a suggested text and the image with an alternative text', () => {
  show();
  screen.getByRole('dialog', { name: 'Share Your Call' });
  const image = screen.getByRole<HTMLImageElement>('img');
  expect(image.getAttribute('src')).toBe(IMAGE);
  expect(image.alt).toBe(
    'Share image: Ada Byron (@ada) called BONK at $0.00002000 and ended at $0.00003000, +50.0%, held 1d.',
  );
  expect(field().value).toBe(
    `BONK call ended: +50.0%\nEntry $0.00002000, end $0.00003000, held 1d.\n\non SolCallers, @\u2060ada`,
  );
  screen.getByText(`${text.length}/280`);
});

it('the Share Your Call dialog stays open with a link when the browser blocks the new tab', async () => {
  const { onOpenChange } = show(undefined, { tab: null });
  press();
  await screen.findByText('Your tweet is posted.');
  const links = screen.getAllByRole<HTMLAnchorElement>('link', { name: 'View tweet' });
  expect(new Set(links.map(({ href }) => href))).toEqual(new Set([TWEET]));
  expect(screen.queryByRole('button', { name: 'Post tweet' })).toBeNull();
  expect(onOpenChange).not.toHaveBeenCalled();
});

it('the Share Your Call dialog shows Posting... and posts only once', async () => {
  const { bodies } = show(() => new Promise(() => undefined));
  press();
  const busy = await screen.findByRole('button', { name: 'Posting...' });
  fireEvent.click(busy);
  expect(bodies()).toHaveLength(1);
});

// Specification 5.15, 5.16
it.each(['', '  \n'])(
  'the Share Your Call dialog asks for text and sends nothing if the text is %j',
  async (empty) => {
    const { calls } = show();
    type(empty);
    screen.getByText('0/280');
    press();
    await expectToast('Please add some text', 'Your tweet needs some text content');
    expect(calls).toEqual([]);
  },
);

// Specification 5.18, 5.19
it('the Share Your Call dialog refuses a text that is too long for X, and shows both counts', () => {
  const { calls } = show();
  type('🪁'.repeat(141));
  screen.getByText('141/280');
  expect(screen.getByText(/^X counts \d+$/)).toMatchObject({
    textContent: 'X counts 282',
    className: 'text-loss',
  });
  screen.getByText('Too long for X. Remove 2 characters: X counts a link as 23 and an emoji as 2.');
  expect(postButton().disabled).toBe(true);
  fireEvent.submit(field());
  expect(calls).toEqual([]);
});

// Specification 8.20, 8.22
it.each([
  [
    'a 502',
    () => refuse(502, 'shares.x_unavailable', 'Failed to post tweet: X does not respond at the moment.'),
    'X does not respond at the moment.',
  ],
  ['a 409 without a new image', () => refuse(409, 'shares.image_changed', 'It changed.'), 'It changed.'],
  [
    'a response that is not JSON',
    () => new Response('<html>', { status: 500 }),
    "The server didn't respond. Check X before you try again.",
  ],
])(
  'the Share Your Call dialog shows the reason and preserves the text after %s',
  async (_name, response, description) => {
    const { onOpenChange } = show(response);
    type('my words');
    press();
    await expectToast('Failed to post tweet', description);
    expect(field().value).toBe('my words');
    expect(onOpenChange).not.toHaveBeenCalled();
  },
);

it('the link to X’s compose page has the text, plus the call’s link unless the text contains it', async () => {
  show(needConsent);
  press();
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Post it on X yourself' });
  expect([link.target, link.rel]).toEqual(['_blank', 'noopener noreferrer']);
  const parameters = () => [...new URL(link.href).searchParams].flat();
  expect(link.href.startsWith('https://x.com/intent/post?text=')).toBe(true);
  expect(parameters()).toEqual(['text', text, 'url', LINK]);
  type(' my words & #1 \n');
  expect(parameters()).toEqual(['text', 'my words & #1', 'url', LINK]);
  type(`my words ${LINK}`);
  expect(parameters()).toEqual(['text', `my words ${LINK}`]);
});

it('the Share Your Call dialog offers three ways to go on after the user declined on X', () => {
  const { calls, onOpenChange } = show(undefined, { declinedWays: WAYS });
  screen.getByText(/^You didn't allow SolCallers to post on X\. Nothing was posted/);
  expect(hrefOf('Allow posting on X')).toBe('/api/auth/twitter?share=1&returnTo=%2F');
  expect(hrefOf('Post it on X yourself')).toContain(encodeURIComponent(LINK));
  expect(screen.queryByRole('button', { name: 'Disconnect' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onOpenChange).toHaveBeenCalledWith(false);
  expect(calls).toEqual([]);
});

it('the Share Your Call dialog offers the link to X after a refusal, unless the tweet may be posted already', async () => {
  let response = () => refuse(429, 'shares.rate_limited', 'X refused it.', { composeUrl: WAYS.composeUrl });
  show(() => response());
  press();
  await screen.findByRole('link', { name: 'Post it on X yourself' });
  screen.getByText(/^You can post it yourself/);
  expect(postButton().disabled).toBe(false);
  response = () => refuse(502, 'shares.unconfirmed', 'Look at your profile on X.');
  press();
  await expectToast('Failed to post tweet', 'Look at your profile on X.');
  expect(screen.queryByRole('link', { name: 'Post it on X yourself' })).toBeNull();
});

const revoked = 'SolCallers can no longer post on X for you.';
it.each<[string, unknown, string, string]>([
  ['can be disconnected', { message: revoked, isRevokedOnX: true }, 'Disconnected from X', revoked],
  [
    'says why disconnecting failed',
    new Response('', { status: 500 }),
    'Error',
    'Failed to disconnect from X',
  ],
])(
  'the Share Your Call dialog of a user who lets SolCallers post on X %s',
  async (_what, response, title, description) => {
    const routes = { 'DELETE /api/user/x-posting': response };
    const { calls } = show(undefined, { canPostOnX: true, routes });
    screen.getByText('SolCallers can post on X for you.');
    fireEvent.click(screen.getByRole('button', { name: 'Disconnect' }));
    await expectToast(title, description);
    expect(calls.map(({ route }) => route)).toEqual(['DELETE /api/user/x-posting']);
  },
);

it('the Share Your Call dialog stores unposted text, and removes it after posting', async () => {
  show();
  type('half a thought');
  cleanup();
  const { onOpenChange } = show();
  expect(field().value).toBe('half a thought');
  press();
  await waitFor(() => expect(onOpenChange).toHaveBeenCalledWith(false));
  cleanup();
  show();
  expect(field().value).toBe(text);
});

it('the Share Your Call dialog offers the image as a file and as a link', async () => {
  show();
  const writeText = vi.fn().mockResolvedValue(undefined);
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
  expect(screen.getByRole('link', { name: 'Download image' })).toMatchObject({
    download: 'solcallers-bonk.png',
    pathname: '/api/token-calls/call-1/share.png',
  });
  fireEvent.click(screen.getByRole('button', { name: 'Copy image link' }));
  await expectToast('Image link copied');
  expect(writeText).toHaveBeenCalledWith(`${window.location.origin}/api/token-calls/call-1/share.png`);
});

it('the suggested text fits a tweet with the longest names and prices', () => {
  const long = {
    ...call,
    isPaidPromotion: true,
    uncountedGainReason: 'one_source' as const,
    tokenSymbol: 'W'.repeat(32),
    entryPrice: '1000000000000000',
    endPrice: '0',
    automaticEnd: 'no_price' as const,
    caller: { ...call.caller, twitterHandle: 'FifteenLetters_' },
  };
  expect(findTweetTextProblem(defaultShareText(long))).toBeNull();
});

it.each([
  [{ isPaidPromotion: true }, 'Paid promotion.'],
  [{ unrankedReason: 'one_source' as const }, 'Unranked, so it counts in no figure.'],
  [{ uncountedGainReason: 'short_hold' as const }, 'The gain counts as 0% in all figures.'],
  [{ automaticEnd: 'time_limit' as const }, 'Ended automatically after 30 days.'],
])('the suggested text and the alternative text have a note for %j', (change, note) => {
  expect([defaultShareText(call), describeShareImage(call)].join()).not.toContain(note);
  expect(defaultShareText({ ...call, ...change })).toContain(
    `held 1d.\n${note}\n\non SolCallers, @\u2060ada`,
  );
  expect(describeShareImage({ ...call, ...change })).toMatch(
    new RegExp(`held 1d\\. ${note.replaceAll('.', '\\.')}$`),
  );
});
