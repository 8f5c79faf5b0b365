import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Markup } from '../controls/page-shell.ts';
import { refuseOtherOrigins } from '../controls/same-origin.ts';
import { handlePattern, type People } from './people-register.ts';
import type { Tweets } from './tweets.ts';
import { MAX_TWEET_WEIGHT, weightedLength } from './weighted-length.ts';
import { xPage } from './x-page.ts';

const style = `
textarea { width: 100%; padding: 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); color: var(--text); font: inherit; }
form > * + label { margin-top: 16px; }
form button { margin-top: 16px; }
`;

interface Draft {
  text: string;
  handle: string;
  problem?: string | undefined;
}

/** The stand-in for x.com's compose page, which takes text and link from the query. */
export function createIntentRoutes({ people, tweets }: { people: People; tweets: Tweets }): Hono {
  return new Hono()
    .get('/intent/post', (c) => {
      const text = [c.req.query('text'), c.req.query('url')]
        .filter((part) => part !== undefined && part !== '')
        .join(' ');
      return c.html(composePage({ text, handle: '' }));
    })
    .post('/intent/post', refuseOtherOrigins(), async (c) => {
      const draft = readDraft(await c.req.formData());
      const problem = findProblem(draft);
      if (problem !== undefined) return c.html(composePage({ ...draft, problem }), 400);
      const person = people.findOrOpenAccount(draft.handle);
      const tweet = tweets.post({
        text: draft.text,
        xUserId: person.xUserId,
        handle: person.handle,
        mediaIds: [],
        costUsd: 0,
      });
      return c.redirect(`/x/${person.handle}/status/${tweet.id}`, 303);
    });
}

function readDraft(form: FormData): Omit<Draft, 'problem'> {
  const read = (name: string) => String(form.get(name) ?? '');
  return {
    // Forms submit line breaks as \r\n.
    text: read('text').replaceAll('\r\n', '\n').trim(),
    handle: read('handle').trim().replace(/^@/, ''),
  };
}

function findProblem({ handle, text }: Draft): string | undefined {
  if (!handlePattern.test(handle)) return 'A handle has up to 15 letters, digits and underscores.';
  if (text === '') return 'A post needs some text.';
  const weight = weightedLength(text);
  return weight > MAX_TWEET_WEIGHT
    ? `This is ${weight} characters long; a post has at most ${MAX_TWEET_WEIGHT}.`
    : undefined;
}

function composePage({ text, handle, problem }: Draft): Markup {
  const body = html`
    <h1>Post on X</h1>
    <form method="post" action="/x/intent/post">
      <label for="text">What is happening?</label>
      <textarea id="text" name="text" rows="8" dir="auto">${text}</textarea>
      <label for="handle">Post as</label>
      <input
        id="handle"
        name="handle"
        maxlength="16"
        placeholder="@your_handle"
        value="${handle}"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
      />
      ${problem === undefined ? '' : html`<p role="alert">${problem}</p>`}
      <button class="primary">Post</button>
    </form>
  `;
  return xPage({ title: 'Post on X (local stand-in)', style, body });
}
