import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Markup } from '../controls/page-shell.ts';
import { refuseOtherOrigins } from '../controls/same-origin.ts';
import { samplePeople } from './people.ts';
import { handlePattern, type People } from './people-register.ts';
import type { Tweets } from './tweets.ts';
import { MAX_TWEET_WEIGHT, weightedLength } from './weighted-length.ts';
import { xPage } from './x-page.ts';

const style = `
textarea { width: 100%; padding: 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); color: var(--text); font: inherit; }
select { width: 100%; min-height: 44px; padding: 0 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); color: var(--text); font: inherit; }
form > * + label { margin-top: 16px; }
form button { margin-top: 16px; }
`;

interface Draft {
  text: string;
  /** The handle chosen in the list. A typed handle takes precedence. */
  picked: string;
  typed: string;
  problem?: string | undefined;
}

/** The stand-in for x.com's compose page, which takes text and link from the query. */
export function createIntentRoutes({ people, tweets }: { people: People; tweets: Tweets }): Hono {
  const allPeople = () => [
    ...people.newcomers(),
    ...samplePeople.map((person) => people.findById(person.xUserId) ?? person),
  ];
  return new Hono()
    .get('/intent/post', (c) => {
      const text = [c.req.query('text'), c.req.query('url')]
        .filter((part) => part !== undefined && part !== '')
        .join(' ');
      return c.html(
        composePage({
          handles: allPeople().map(({ handle }) => handle),
          draft: { text, picked: '', typed: '' },
        }),
      );
    })
    .post('/intent/post', refuseOtherOrigins(), async (c) => {
      const draft = readDraft(await c.req.formData());
      const handle = draft.typed || draft.picked;
      const problem = findProblem({ handle, text: draft.text });
      if (problem !== undefined) {
        return c.html(
          composePage({ handles: allPeople().map((person) => person.handle), draft: { ...draft, problem } }),
          400,
        );
      }
      const person = people.findOrOpenAccount(handle);
      const tweet = tweets.post({
        text: draft.text,
        xUserId: person.xUserId,
        handle: person.handle,
        mediaIds: [],
      });
      return c.redirect(`/x/${person.handle}/status/${tweet.id}`, 303);
    });
}

function readDraft(form: FormData): Omit<Draft, 'problem'> {
  const read = (name: string) => String(form.get(name) ?? '');
  return {
    // Forms submit line breaks as \r\n.
    text: read('text').replaceAll('\r\n', '\n').trim(),
    picked: read('picked'),
    typed: read('typed').trim().replace(/^@/, ''),
  };
}

function findProblem({ handle, text }: { handle: string; text: string }): string | undefined {
  if (!handlePattern.test(handle)) return 'A handle has up to 15 letters, digits and underscores.';
  if (text === '') return 'A post needs some text.';
  const weight = weightedLength(text);
  return weight > MAX_TWEET_WEIGHT
    ? `This is ${weight} characters long; a post has at most ${MAX_TWEET_WEIGHT}.`
    : undefined;
}

function composePage({ handles, draft }: { handles: readonly string[]; draft: Draft }): Markup {
  const body = html`
    <h1>Post on X</h1>
    <form method="post" action="/x/intent/post">
      <label for="text">What is happening?</label>
      <textarea id="text" name="text" rows="8" dir="auto">${draft.text}</textarea>
      <label for="picked">Post as</label>
      <select id="picked" name="picked">
        ${handles.map((handle) => html`<option value="${handle}" ${handle === draft.picked ? 'selected' : ''}>@${handle}</option>`)}
      </select>
      <label for="typed">Or as someone else</label>
      <input
        id="typed"
        name="typed"
        maxlength="16"
        placeholder="@your_handle"
        value="${draft.typed}"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
      />
      ${draft.problem === undefined ? '' : html`<p role="alert">${draft.problem}</p>`}
      <button class="primary">Post</button>
    </form>
  `;
  return xPage({ title: 'Post on X (local stand-in)', style, body });
}
