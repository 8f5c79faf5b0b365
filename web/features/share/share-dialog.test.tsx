import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { refuse, stubApi, type FakeRoutes } from '#web/testing/fake-api.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { endedCall } from '#web/testing/samples.ts';
import { ShareDialog } from './share-dialog.tsx';
import { defaultShareText, hasEnded } from './share-words.ts';

const ROUTE = 'POST /api/twitter-post';
const TWEET = 'https://x.com/i/status/7';
const IMAGE = 'data:image/png;base64,iVBORw0KGgo=';
const call = hasEnded(endedCall) ? endedCall : expect.unreachable();
const text = defaultShareText(call, window.location.origin);

function show(answer: FakeRoutes[string] = { tweetUrl: TWEET }, { tab = { opener: window } as { opener: unknown } | null } = {}) {
  const calls = stubApi({ [ROUTE]: answer });
  const onOpenChange = vi.fn();
  const open = vi.spyOn(window, 'open').mockReturnValue(tab as Window | null);
  renderScreen(<ShareDialog call={call} imageDataUrl={IMAGE} open onOpenChange={onOpenChange} />);
  return { calls, onOpenChange, open, tab, bodies: () => calls.map(({ body }) => body) };
}

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Tweet' });
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const postButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Post tweet' });
const press = () => fireEvent.click(postButton());

beforeEach(() => sessionStorage.clear());

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('Share Your Call', () => {
  it('shows the image with its facts in words, and a plain text to begin with', () => {
    show();
    screen.getByRole('dialog', { name: 'Share Your Call' });
    const image = screen.getByRole<HTMLImageElement>('img');
    expect(image.getAttribute('src')).toBe(IMAGE);
    expect(image.alt).toBe('Share image: Ada Byron (@ada) called BONK at $0.00002000 and ended at $0.00003000, +50.0%, held 1d.');
    expect(field().value).toBe(`BONK call ended: +50.0%\nEntry $0.00002000, end $0.00003000, held 1d.\n\n@ada on SolCallers: ${window.location.origin}/caller/ada`);
    screen.getByText(`${text.length}/280`);
  });

  it('posts the trimmed text with the image, opens the tweet in a new tab and closes', async () => {
    const { bodies, open, onOpenChange, tab } = show();
    type('  my words \n');
    press();
    await waitFor(() => expect(onOpenChange).toHaveBeenCalledWith(false));
    expect(bodies()).toEqual([{ text: 'my words', imageDataUrl: IMAGE }]);
    expect(open).toHaveBeenCalledWith(TWEET, '_blank');
    expect(tab?.opener).toBeNull();
    await expectToast('Tweet posted');
    expect(screen.getByRole('link', { name: 'View tweet' })).toMatchObject({ href: TWEET, target: '_blank' });
  });

  it('offers the link and stays when the browser opens no tab', async () => {
    const { onOpenChange } = show(undefined, { tab: null });
    press();
    await screen.findByText('Your tweet is posted.');
    expect(screen.getAllByRole('link', { name: 'View tweet' }).every((link) => link.getAttribute('href') === TWEET)).toBe(true);
    expect(screen.queryByRole('button', { name: 'Post tweet' })).toBeNull();
    expect(onOpenChange).not.toHaveBeenCalled();
  });

  it('says Posting... while it runs, and posts once', async () => {
    const { bodies } = show(() => new Promise(() => undefined));
    press();
    const busy = await screen.findByRole('button', { name: 'Posting...' });
    fireEvent.click(busy);
    expect(bodies()).toHaveLength(1);
  });

  it.each(['', '  \n'])('asks for text, and sends nothing: %j', async (empty) => {
    const { calls } = show();
    type(empty);
    screen.getByText('0/280');
    press();
    await expectToast('Please add some text', 'Your tweet needs some text content');
    expect(calls).toEqual([]);
  });

  it('counts characters; over 280 the counter is red and posting is disabled', () => {
    const { calls } = show();
    type('🪁'.repeat(280));
    expect(screen.getByText('280/280').className).toBe('');
    expect(postButton().disabled).toBe(false);
    type(`${'🪁'.repeat(280)}a`);
    expect(screen.getByText('281/280').className).toBe('text-loss');
    expect(postButton().disabled).toBe(true);
    fireEvent.submit(field());
    expect(calls).toEqual([]);
  });

  it.each([
    ['502', () => refuse(502, 'shares.x_unavailable', 'Failed to post tweet: X does not answer at the moment.'), 'X does not answer at the moment.'],
    ['422', () => refuse(422, 'shares.image_invalid', 'The image must be a PNG.'), 'The image must be a PNG.'],
    ['401', () => refuse(401, 'auth.required', 'Please sign in with Twitter to post tweets'), 'Please sign in with Twitter to post tweets'],
    ['a broken answer', () => new Response('<html>', { status: 500 }), 'The post did not go through. Please try again.'],
  ])('says why it failed, and keeps the text: %s', async (_name, answer, description) => {
    const { onOpenChange } = show(answer);
    type('my words');
    press();
    await expectToast('Failed to post tweet', description);
    expect(field().value).toBe('my words');
    expect(onOpenChange).not.toHaveBeenCalled();
  });

  it('offers to allow posting on X, and remembers text and call for the way back', async () => {
    show(() => refuse(403, 'shares.consent_needed', 'Allow SolCallers to post on X for you first.', { authorizeUrl: '/api/auth/twitter?share=1' }));
    type('my words');
    press();
    const link = await screen.findByRole('link', { name: 'Allow posting on X' });
    expect(link.getAttribute('href')).toBe('/api/auth/twitter?share=1&returnTo=%2F');
    screen.getByText(/may not post on X for you yet\. X asks you once/);
    link.addEventListener('click', (event) => event.preventDefault());
    fireEvent.click(link);
    expect(JSON.parse(sessionStorage.getItem('share-resume') ?? '')).toMatchObject({ id: call.id });
    cleanup();
    show();
    expect(field().value).toBe('my words');
  });

  it('keeps what was typed when it is closed, and forgets it once posted', async () => {
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

  it('gives the image away: as a file and as a link', async () => {
    show();
    const writeText = vi.fn().mockResolvedValue(undefined);
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
    expect(screen.getByRole('link', { name: 'Download image' })).toMatchObject({ download: 'solcallers-bonk.png', pathname: '/api/token-calls/call-1/share.png' });
    fireEvent.click(screen.getByRole('button', { name: 'Copy image link' }));
    await expectToast('Image link copied');
    expect(writeText).toHaveBeenCalledWith(`${window.location.origin}/api/token-calls/call-1/share.png`);
  });

  it('is cancelled', () => {
    const { onOpenChange } = show();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onOpenChange).toHaveBeenCalledWith(false);
  });
});

describe('the text to begin with', () => {
  it('fits a tweet with the longest names and prices', () => {
    const long = { ...call, tokenSymbol: 'W'.repeat(32), entryPrice: '1000000000000000', endPrice: '1', caller: { ...call.caller, twitterHandle: 'FifteenLetters_' } };
    expect([...defaultShareText(long, 'https://solcallers.example')].length).toBeLessThanOrEqual(280);
  });

  it('tells a loss as it tells a win', () => {
    expect(defaultShareText({ ...call, endPrice: '0.00001' }, 'https://s.example')).toMatch(/^BONK call ended: -50\.0%\n/);
  });
});
