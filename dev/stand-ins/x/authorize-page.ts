import { html } from 'hono/html';
import type { Markup } from '../controls/page-shell.ts';
import type { SamplePerson } from './people.ts';
import { xPage } from './x-page.ts';

const style = `
.people { padding: 0; list-style: none; }
.people a { display: block; padding: 8px 12px; border-bottom: 1px solid var(--line); color: inherit; text-decoration: none; overflow-wrap: anywhere; }
form { margin-bottom: 24px; }
`;

const scopeTexts: Readonly<Record<string, string>> = {
  'tweet.read': 'See posts that you can see',
  'users.read': 'See accounts that you can see',
  'users.email': 'See your email address',
  'tweet.write': 'Post for you',
  'media.write': 'Upload pictures for you',
  'offline.access': 'Stay connected until you revoke access',
};

export interface AuthorizePage {
  people: readonly SamplePerson[];
  scopes: readonly string[];
  /** The request's query parameters; each link on the page repeats them. */
  parameters: ReadonlyMap<string, string>;
  cancelUrl: string;
  problem?: string | undefined;
}

/** The page where a person chooses which account to sign in with. Works without JavaScript. */
export function authorizePage({ people, scopes, parameters, cancelUrl, problem }: AuthorizePage): Markup {
  const linkTo = (handle: string): string =>
    `?${new URLSearchParams([...parameters, ['login_as', handle]]).toString()}`;
  const body = html`
    <h1>Sign in to SolCallers</h1>
    <p>Pick a sample person. SolCallers will be able to:</p>
    <ul>
      ${scopes.map((scope) => html`<li>${scopeTexts[scope] ?? scope}</li>`)}
    </ul>
    <ul class="people">
      ${people.map(
        (person) =>
          html`<li>
            <a href="${linkTo(person.handle)}">
              <b>${person.name}</b> <span class="muted">@${person.handle} ${roles[person.handle] ?? ''}</span>
            </a>
          </li>`,
      )}
    </ul>
    <form method="get">
      ${[...parameters].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <label for="handle">Or sign in as someone new</label>
      <div class="row">
        <input
          id="handle"
          name="login_as"
          required
          maxlength="16"
          placeholder="@your_handle"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          aria-describedby="handle-help"
        />
        <button class="primary">Sign in</button>
      </div>
      <p id="handle-help" class="muted" role="${problem === undefined ? 'note' : 'alert'}">
        ${problem ?? 'Up to 15 letters, digits and underscores.'}
      </p>
    </form>
    <a class="button" href="${cancelUrl}">Cancel</a>
  `;
  return xPage({ title: 'Sign in with X (local stand-in)', style, body });
}

/** The page for an invalid sign-in request. It doesn't redirect, because the callback may be forged. */
export function authorizeErrorPage(reason: string): Markup {
  const body = html`<h1>Something went wrong</h1>
    <p>You weren't able to give access to the App. Go back and try logging in again.</p>
    <p class="muted">${reason}</p>`;
  return xPage({ title: 'Something went wrong', body });
}

/** The roles that the sample data give to some people. */
const roles: Readonly<Record<string, string>> = {
  amara_calls: 'verified caller with a monthly fee',
  kenji_charts: 'free caller',
  tobi_drift: 'follower',
};
