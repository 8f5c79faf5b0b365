import { Hono, type Context } from 'hono';
import { isLoopbackUrl } from '../controls/same-origin.ts';
import { authorizeErrorPage, authorizePage } from './authorize-page.ts';
import { knownScopes, type Grants, type OAuthError, type TokenResponse } from './grants.ts';
import { samplePeople } from './people.ts';
import { handlePattern, type People } from './people-register.ts';

const MAX_NEWCOMERS_SHOWN = 4;
const CHALLENGE_PATTERN = /^[A-Za-z0-9\-_]{43}$/;
const requestParameters = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
];

interface OAuthOptions {
  people: People;
  grants: Grants;
  /** Redirects may lead to this origin or to any address of this machine. */
  productUrl: string;
}

interface AuthorizeRequest {
  clientId: string;
  redirectUri: string;
  scopes: readonly string[];
  state: string;
  challenge: string;
}

/** The stand-in for x.com's sign-in page and X's token endpoints. */
export function createOAuthRoutes({ people, grants, productUrl }: OAuthOptions): Hono {
  return new Hono()
    .get('/i/oauth2/authorize', (c) => {
      const parameters = new Map(
        requestParameters.flatMap((name) =>
          c.req.query(name) === undefined ? [] : [[name, c.req.query(name) ?? '']],
        ),
      );
      const request = checkAuthorizeRequest({ parameters, productUrl });
      if (typeof request === 'string') return c.html(authorizeErrorPage(request), 400);
      // Don't let the browser cache the redirect, because its code works only once.
      c.header('cache-control', 'no-store');
      const handle = c.req.query('login_as')?.trim().replace(/^@/, '');
      if (handle !== undefined && handlePattern.test(handle)) {
        const { xUserId } = people.findOrOpenAccount(handle);
        return c.redirect(
          backTo(request, { state: request.state, code: grants.issueCode({ ...request, xUserId }) }),
        );
      }
      const page = authorizePage({
        people: [
          ...people.newcomers().slice(0, MAX_NEWCOMERS_SHOWN),
          ...samplePeople.map((person) => people.findById(person.xUserId) ?? person),
        ],
        scopes: request.scopes,
        parameters,
        cancelUrl: backTo(request, { error: 'access_denied', state: request.state }),
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
      if (clientId === undefined) return refuseClient(c);
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
      if (clientOf(c, form) === undefined) return refuseClient(c);
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

interface CheckAuthorizeRequestOptions {
  parameters: ReadonlyMap<string, string>;
  productUrl: string;
}

function checkAuthorizeRequest({
  parameters,
  productUrl,
}: CheckAuthorizeRequestOptions): AuthorizeRequest | string {
  const missing = requestParameters.find((name) => (parameters.get(name) ?? '') === '');
  if (missing !== undefined) return `Missing required parameter [${missing}].`;
  const value = (name: string): string => parameters.get(name) ?? '';
  if (value('response_type') !== 'code') return 'Value passed for response_type must be [code].';
  if (value('code_challenge_method') !== 'S256') {
    return 'Value passed for code_challenge_method must be [S256].';
  }
  if (!CHALLENGE_PATTERN.test(value('code_challenge'))) {
    return 'Value passed for code_challenge is not a SHA-256 hash in base64url.';
  }
  const scopes = value('scope')
    .split(' ')
    .filter((scope) => scope !== '');
  const unknown = scopes.find((scope) => !knownScopes.some((known) => known === scope));
  if (unknown !== undefined) return `Value passed for scope has an unknown scope [${unknown}].`;
  const redirectUri = value('redirect_uri');
  const target = URL.parse(redirectUri);
  const isRegistered =
    target !== null && (isLoopbackUrl(target) || target.origin === new URL(productUrl).origin);
  if (!isRegistered) return 'Value passed for redirect_uri does not match the registered callback.';
  return {
    clientId: value('client_id'),
    redirectUri,
    scopes,
    state: value('state'),
    challenge: value('code_challenge'),
  };
}

function backTo(request: AuthorizeRequest, parameters: Record<string, string>): string {
  const target = new URL(request.redirectUri);
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
