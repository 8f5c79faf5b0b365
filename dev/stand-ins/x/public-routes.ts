import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Markup } from '../controls/page-shell.ts';
import type { Media } from './media.ts';
import type { People } from './people-register.ts';
import type { SamplePerson } from './people.ts';
import { portraitPng } from './portrait.ts';
import type { Tweet, Tweets } from './tweets.ts';
import { xPage } from './x-page.ts';

const avatarSizes: Readonly<Record<string, number>> = {
  _normal: 96,
  _bigger: 146,
  _mini: 48,
  _400x400: 400,
  '': 400,
};
const filePattern = /^(\d+)(_normal|_bigger|_mini|_400x400|)\.png$/;

/** Headers of X's image servers: cached for a day, and readable by other sites' canvases. */
const publicAvatar = { 'cache-control': 'public, max-age=86400', 'access-control-allow-origin': '*' };

const style = `
.tweet { margin: 0 0 16px; padding: 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); overflow-wrap: anywhere; }
.tweet p { margin: 0 0 8px; white-space: pre-wrap; }
.tweet img { display: block; width: 100%; margin-bottom: 8px; border: 1px solid var(--line); border-radius: 8px; }
`;

interface CreatePublicXRoutesOptions {
  people: People;
  media: Media;
  tweets: Tweets;
}

/** The public pages of x.com: images, profiles and tweets. */
export function createPublicXRoutes({ people, media, tweets }: CreatePublicXRoutesOptions): Hono {
  const drawn = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  function draw(file: string): Promise<Uint8Array<ArrayBuffer>> | undefined {
    const [, xUserId = '', suffix = ''] = filePattern.exec(file) ?? [];
    if (people.findById(xUserId)?.avatar === undefined) return undefined;
    const avatar = drawn.get(file) ?? portraitPng({ name: xUserId, size: avatarSizes[suffix] ?? 96 });
    drawn.set(file, avatar);
    return avatar;
  }

  return new Hono()
    .get('/pictures/:file', async (c) => {
      const avatar = await draw(c.req.param('file'));
      if (avatar === undefined) return c.notFound();
      return c.body(avatar, 200, { 'content-type': 'image/png', ...publicAvatar });
    })
    .get('/media/:id', (c) => {
      const medium = media.read(c.req.param('id'));
      if (medium === undefined) return c.notFound();
      return c.body(Buffer.from(medium.bytes), 200, {
        'content-type': medium.type,
        'x-content-type-options': 'nosniff',
      });
    })
    .get('/:handle/status/:id', (c) => {
      const tweet = tweets.find(c.req.param('id'));
      return tweet === undefined
        ? c.notFound()
        : c.html(xPage({ title: `@${tweet.handle} on X`, style, body: describeTweet(tweet) }));
    })
    .get('/:handle', (c) => {
      const person = people.findByHandle(c.req.param('handle'));
      if (person === undefined) return c.notFound();
      const posts = tweets.list().filter((tweet) => tweet.xUserId === person.xUserId);
      return c.html(xPage({ title: `${person.name} on X`, style, body: describeProfile({ person, posts }) }));
    });
}

function describeTweet(tweet: Tweet): Markup {
  return html`<article class="tweet">
    <p class="muted">@${tweet.handle}</p>
    <p>${tweet.text}</p>
    ${tweet.mediaIds.map((id) => html`<img src="/x/media/${id}" alt="Picture of the post" />`)}
    <time class="muted" datetime="${tweet.createdAt}">${tweet.createdAt}</time>
  </article>`;
}

function describeProfile({ person, posts }: { person: SamplePerson; posts: readonly Tweet[] }): Markup {
  return html`<h1>${person.name}</h1>
    <p class="muted">@${person.handle}</p>
    ${person.bio === undefined ? '' : html`<p>${person.bio}</p>`}
    ${posts.length === 0 ? html`<p class="muted">No posts yet.</p>` : posts.toReversed().map(describeTweet)}`;
}
