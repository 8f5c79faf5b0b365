import type { XEnv } from './x-env.ts';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { z } from 'zod';
import type { Grants } from './grants.ts';
import type { Media } from './media.ts';
import { createMediaRoutes } from './media-routes.ts';
import type { People } from './people-register.ts';
import { PRICES, type Credits } from './credits.ts';
import { accountBlocked, blocked, invalidRequest, problem } from './problems.ts';
import type { Tweets } from './tweets.ts';
import { hasLink, MAX_TWEET_WEIGHT, weightedLength } from './weighted-length.ts';

const DAY = 86_400_000;

interface ApiOptions {
  people: People;
  grants: Grants;
  media: Media;
  tweets: Tweets;
  credits: Credits;
  now: () => number;
}

/**
 * X refuses some mentions of posts from apps and doesn't say which, so the stand-in refuses all. The characters before a
 * mention are `validMentionPrecedingChars` of twitter-text.
 */
const MENTION = /(?:^|[^a-zA-Z0-9_!#$%&*@＠]|(?:^|[^a-zA-Z0-9_+~.-])(?:rt|RT|rT|Rt):?)[@＠][a-zA-Z0-9_]/;
/** A post from an app may have one: docs.x.com/x-api/posts/manage-tweets/integrate. */
const CASHTAG = /(?<![\p{L}\p{N}_$＄])[$＄][a-z]\w*/giu;

/** The fields that the stand-in can return. */
const userFields = [
  'confirmed_email',
  'created_at',
  'description',
  'profile_image_url',
  'protected',
  'verified',
  'verified_type',
];

/** Those fields of X's `CreatePostsRequest` that the stand-in knows. X refuses unknown fields, too. */
const tweetBody = z.strictObject({
  text: z.string().optional(),
  media: z
    .strictObject({
      media_ids: z
        .array(z.string().regex(/^[0-9]{1,19}$/))
        .min(1)
        .max(4),
    })
    .optional(),
});

export function createXApiRoutes({ people, grants, media, tweets, credits, now }: ApiOptions): Hono<XEnv> {
  return new Hono<XEnv>()
    .use('/2/*', requireToken({ people, grants, now }))
    .use('/2/*', async (c, next) => {
      const reason = credits.block();
      return reason === undefined ? next() : blocked(c, reason);
    })
    .get('/2/users/me', requireScopes('users.read', 'tweet.read'), (c) => {
      // X also has `expansions` and `post.fields`, for which the stand-in has nothing.
      const strange = Object.keys(c.req.query()).find((parameter) => parameter !== 'user.fields');
      if (strange !== undefined) {
        const message = `The query parameter [${strange}] is not one of [user.fields]`;
        return invalidRequest(c, { parameter: strange, value: c.req.query(strange) ?? '', message });
      }
      const fields = (c.req.query('user.fields') ?? '').split(',').filter((field) => field !== '');
      const unknown = fields.find((field) => !userFields.includes(field));
      if (unknown !== undefined) {
        const message = `The \`user.fields\` query parameter value [${unknown}] is not one of [${userFields.join(',')}]`;
        return invalidRequest(c, { parameter: 'user.fields', value: unknown, message });
      }
      credits.charge(PRICES.readUser);
      const described = describeUser({ context: c, fields });
      return c.json({ data: { ...described, ...people.sentFields(c.get('person').xUserId) } });
    })
    .post('/2/tweets', requireScopes('tweet.write', 'tweet.read', 'users.read'), async (c) => {
      const parsed = tweetBody.safeParse(await c.req.json().catch(() => undefined));
      if (!parsed.success) {
        return invalidRequest(c, { parameter: 'body', value: '', message: z.prettifyError(parsed.error) });
      }
      const text = parsed.data.text ?? '';
      const mediaIds = parsed.data.media?.media_ids ?? [];
      const { xUserId, handle } = c.get('person');
      if (text.trim() === '' && mediaIds.length === 0) {
        return invalidRequest(c, {
          parameter: 'text',
          value: text,
          message: 'Field must have length at least 1.',
        });
      }
      const wrongMedium = mediaIds.find((id) => media.findUsable({ id, ownerId: xUserId }) === undefined);
      if (wrongMedium !== undefined) {
        return invalidRequest(c, {
          parameter: 'media.media_ids',
          value: wrongMedium,
          message: 'Your media IDs are invalid.',
        });
      }
      const refusal = findRefusal(text);
      if (refusal !== undefined) return problem(c, { status: 403, detail: refusal });
      const isRepeated = tweets
        .list()
        .some(
          (tweet) =>
            tweet.xUserId === xUserId && tweet.text === text && Date.parse(tweet.createdAt) > now() - DAY,
        );
      if (isRepeated && text !== '') {
        return problem(c, {
          status: 403,
          detail: 'You are not allowed to create a Tweet with duplicate content.',
        });
      }
      const price = hasLink(text) ? PRICES.postWithLink : PRICES.post;
      credits.charge(price);
      const tweet = tweets.post({ text, xUserId, handle, mediaIds, costUsd: price / 1000 });
      return c.json({ data: { edit_history_post_ids: [tweet.id], id: tweet.id, text: tweet.text } }, 201);
    })
    .use('/2/media/*', requireScopes('media.write'))
    .route('/2/media', createMediaRoutes({ media }));
}

function findRefusal(text: string): string | undefined {
  if (weightedLength(text) > MAX_TWEET_WEIGHT) {
    return 'Your Tweet text is too long. For more information on how Twitter determines text length see https://github.com/twitter/twitter-text.';
  }
  if (MENTION.test(text)) return 'You are not permitted to perform this action.';
  const cashtags = text.match(CASHTAG) ?? [];
  return cashtags.length > 1 ? 'Posts are limited to a maximum of one cashtag ($SYMBOL)' : undefined;
}

function describeUser({ context, fields }: { context: Context<XEnv>; fields: readonly string[] }): object {
  const person = context.get('person');
  const origin = new URL(context.req.url).origin;
  const optional: Record<string, unknown> = {
    created_at: person.createdAt,
    verified: person.isVerified,
    verified_type: person.isVerified ? 'blue' : 'none',
    protected: false,
    description: person.bio ?? '',
    ...(person.avatar === undefined ? {} : { profile_image_url: `${origin}${person.avatar}` }),
    ...(person.email !== undefined && context.get('grant').scopes.includes('users.email')
      ? { confirmed_email: person.email }
      : {}),
  };
  const requested = Object.entries(optional).filter(([field]) => fields.includes(field));
  return { id: person.xUserId, name: person.name, username: person.handle, ...Object.fromEntries(requested) };
}

function requireToken(options: Pick<ApiOptions, 'people' | 'grants' | 'now'>): MiddlewareHandler<XEnv> {
  const { people, grants, now } = options;
  return async (context, next) => {
    context.header('x-rate-limit-limit', '75');
    context.header('x-rate-limit-remaining', '74');
    context.header('x-rate-limit-reset', String(Math.ceil(now() / 900_000) * 900));
    const token = /^Bearer (.+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
    const grant = token === undefined ? undefined : grants.findByAccessToken(token);
    const person = grant === undefined ? undefined : people.findById(grant.xUserId);
    if (grant === undefined || person === undefined) {
      return problem(context, { status: 401, detail: 'Unauthorized' });
    }
    const block = people.accountBlock(person.xUserId);
    if (block !== undefined) return accountBlocked(context, block);
    context.set('grant', grant);
    context.set('person', person);
    return next();
  };
}

function requireScopes(...scopes: readonly string[]): MiddlewareHandler<XEnv> {
  return async (context, next) => {
    const granted = context.get('grant').scopes;
    if (scopes.every((scope) => granted.includes(scope))) return next();
    return problem(context, { status: 403, detail: 'Forbidden' });
  };
}
