import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { isLoopbackUrl } from '../controls/same-origin.ts';
import { authorizeErrorPage, authorizePage } from './authorize-page.ts';
import type { Credits } from './credits.ts';
import { knownScopes, type Grants, type OAuthError, type TokenResponse } from './grants.ts';
import { samplePeople } from './people.ts';
import { handlePattern, type People } from './people-register.ts';

const MAX_NEWCOMERS_SHOWN = 4;

const given = (name: string) => z.string(`Missing required parameter [${name}].`).min(1);
const authorizeQuery = z.object({
  response_type: z.literal('code', 'Value passed for response_type must be [code].'),
  client_id: given('client_id'),
  redirect_uri: given('redirect_uri'),
  scope: given('scope')
    .transform((text) => text.split(' ').filter(Boolean))
    .pipe(z.array(z.enum(knownScopes, 'Value passed for scope has an unknown scope.'))),
  state: given('state'),
  code_challenge: z
    .string()
    .regex(/^[A-Za-z0-9\-_]{43}$/, 'Value passed for code_challenge is not a SHA-256 hash in base64url.'),
  code_challenge_method: z.literal('S256', 'Value passed for code_challenge_method must be [S256].'),
});

interface OAuthOptions {
  people: People;
  grants: Grants;
  credits: Credits;
  /** Redirects may lead to this origin or to any address of this machine. */
  productUrl: string;
}

/** The stand-in for x.com's sign-in page and X's token endpoints. */
export function createOAuthRoutes({ people, grants, credits, productUrl }: OAuthOptions): Hono {
  return new Hono()
    .get('/i/oauth2/authorize', (c) => {
      const parsed = authorizeQuery.safeParse(c.req.query());
      if (!parsed.success) return c.html(authorizeErrorPage(parsed.error.issues[0]?.message ?? ''), 400);
      const { redirect_uri: redirectUri, state, scope: scopes } = parsed.data;
      if (!isRegistered(redirectUri, productUrl)) return c.html(authorizeErrorPage(NOT_REGISTERED), 400);
      // Don't let the browser cache the redirect, because its code works only once.
      c.header('cache-control', 'no-store');
      const handle = c.req.query('login_as')?.trim().replace(/^@/, '');
      if (handle !== undefined && handlePattern.test(handle)) {
        const { xUserId } = people.findOrOpenAccount(handle);
        const { client_id: clientId, code_challenge: challenge } = parsed.data;
        const code = grants.issueCode({ xUserId, clientId, redirectUri, scopes, challenge });
        return c.redirect(backTo(redirectUri, { state, code }));
      }
      const page = authorizePage({
        people: [
          ...people.newcomers().slice(0, MAX_NEWCOMERS_SHOWN),
          ...samplePeople.map((person) => people.findById(person.xUserId) ?? person),
        ],
        scopes,
        parameters: new Map(Object.entries({ ...parsed.data, scope: scopes.join(' ') })),
        cancelUrl: backTo(redirectUri, { error: 'access_denied', state }),
        problem:
          handle === undefined
            ? undefined
            : `“${handle}” cannot be a handle: up to 15 letters, digits and underscores.`,
      });
      return c.html(page, handle === undefined ? 200 : 400);
    })
    .post('/2/oauth2/token', async (c) => {
      const form = await formOf(c);
      const clientId = clientOf(c, form);
      if (clientId === undefined || credits.isClientRefused()) return refuseClient(c);
      const grantType = form.get('grant_type');
      const read = (name: string) => form.get(name) ?? '';
      if (grantType === 'authorization_code') {
        const [code, verifier] = [read('code'), read('code_verifier')];
        const redirectUri = read('redirect_uri');
        return respondWithTokens(c, grants.redeemCode({ code, verifier, redirectUri, clientId }));
      }
      if (grantType === 'refresh_token') {
        return respondWithTokens(c, grants.refresh({ refreshToken: read('refresh_token'), clientId }));
      }
      const description = 'Value passed for the grant type was invalid.';
      return c.json({ error: 'unsupported_grant_type', error_description: description }, 400);
    })
    .post('/2/oauth2/revoke', async (c) => {
      const form = await formOf(c);
      if (clientOf(c, form) === undefined || credits.isClientRefused()) return refuseClient(c);
      const token = form.get('token');
      if (token === null) {
        return c.json(
          { error: 'invalid_request', error_description: 'Missing required parameter [token].' },
          400,
        );
      }
      grants.revoke(token);
      return c.json({ revoked: true });
    });
}

const NOT_REGISTERED = 'Value passed for redirect_uri does not match the registered callback.';

function isRegistered(redirectUri: string, productUrl: string): boolean {
  const target = URL.parse(redirectUri);
  return target !== null && (isLoopbackUrl(target) || target.origin === new URL(productUrl).origin);
}

function backTo(redirectUri: string, parameters: Record<string, string>): string {
  const target = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
  return target.href;
}

async function formOf(context: Context): Promise<URLSearchParams> {
  return new URLSearchParams(await context.req.text());
}

/**
 * Returns the client's id. A confidential client sends it in the Basic header, a public one in the body.
 */
function clientOf(context: Context, form: URLSearchParams): string | undefined {
  const header = context.req.header('authorization');
  if (header === undefined) return form.get('client_id') ?? undefined;
  const encoded = /^Basic (.+)$/i.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return id === '' || secret === '' ? undefined : id;
}

function refuseClient(context: Context): Response {
  return context.json(
    { error: 'unauthorized_client', error_description: 'Missing valid authorization header' },
    401,
  );
}

function respondWithTokens(context: Context, response: TokenResponse | OAuthError): Response {
  context.header('cache-control', 'no-store');
  return 'error' in response ? context.json(response, 400) : context.json(response);
}
