import { html } from 'hono/html';
import { bot, receiver } from 'virtual:example-sources';
import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { MAX_API_KEYS } from '#schema/constants/people.ts';
import { plainPage } from '../../../app/plain-page.ts';

export const botPage = (origin: string) =>
  plainPage({
    title: 'Build a bot in ten minutes',
    body: html`<main>
      <h1>Build a bot in ten minutes</h1>
      <p><a href="/">Home</a> <a href="/api/docs">All operations</a></p>
      <p>
        This bot calls a token on ${PRODUCT_NAME} and ends the call at +20% or −10%. You need Node 24 and an
        account that is a caller.
      </p>
      <h2>1. Create a key</h2>
      <p>
        Open <a href="/settings/sign-ins#api-keys">API Keys</a> in your settings, press “Create a key”, and
        switch on “May call”. Copy the key: it is shown once. You can have ${MAX_API_KEYS} keys and revoke
        each at any time. A key never pays, and never changes your wallets or account. Don’t put it into a web
        page.
      </p>
      <h2>2. Install the client</h2>
      <pre><code>npm install openapi-fetch
npm install --save-dev openapi-typescript typescript@5 @types/node
npx openapi-typescript ${origin}/api/openapi.json --output api.d.ts</code></pre>
      <p>The types come from our OpenAPI document, so your editor knows every path, body and response.</p>
      <h2>3. Save this as <code>bot.ts</code></h2>
      <pre><code>${bot}</code></pre>
      <h2>4. Start it</h2>
      <pre><code>SOLCALLERS_URL=${origin} SOLCALLERS_KEY=sc_… HANDLE=your_handle MINT=DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263 node bot.ts</code></pre>
      <p>
        It prints the address of the call. Errors have a code for programs and a sentence for you, such as
        <code>calls.already_called</code>.
      </p>
      <h2>5. React to calls</h2>
      <p>
        Save the public https address of a program under <a href="/settings/webhook">Webhook</a> in your
        settings. It gets the calls of callers that you follow, your payments, and the ends of your
        subscriptions, in the format of Standard Webhooks. Requests are repeated for a day until you respond
        with 2xx. Ignore a <code>version</code> lower than one you have.
      </p>
      <pre><code>${receiver}</code></pre>
      <h2>6. Show your record on your website</h2>
      <pre><code>${`<iframe src="${origin}/embed/caller/your_handle" title="My record on ${PRODUCT_NAME}" width="360" height="190"></iframe>`}</code></pre>
    </main>`,
  });
