import { html } from 'hono/html';
import { bot, pythonBot, pythonReceiver, receiver } from 'virtual:example-sources';
import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { MIN_COUNTED_HOLD_MS, REPEATED_MINT_MS } from '#schema/constants/market.ts';
import { MAX_API_KEYS } from '#schema/constants/people.ts';
import { HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { plainPage } from '../../../app/plain-page.ts';

const reactToMessages = html`<h2>5. React to messages</h2>
  <p>
    Save the public https address of a program under <a href="/settings/webhook">Webhook</a> in your settings,
    and copy the secret: it is shown once. Your address has to forward to the program, which listens on port
    8799. If ${PRODUCT_NAME} runs on the same computer, save <code>http://localhost:8799</code>.
  </p>
  <p>
    Save one of these and start it with <code>WEBHOOK_SECRET=whsec_…</code>:
    <code>webhook_receiver.py</code>
  </p>
  <pre><code>${pythonReceiver}</code></pre>
  <p><code>webhook-receiver.ts</code></p>
  <pre><code>${receiver}</code></pre>
  <p>
    Then press “Send me samples”: they have <code>isSample: true</code>. Your program gets the calls of
    callers that you follow, your payments, and the ends of your subscriptions, in the format of Standard
    Webhooks. A message is repeated for a day until you respond with 2xx, always with the same
    <code>webhook-id</code>. Drop repeated ids and nothing else. Messages may come in another order: for the
    newest state of a call, take the fields with the highest <code>version</code>.
  </p>`;

export const botPage = (origin: string) =>
  plainPage({
    title: 'Build a bot in ten minutes',
    body: html`<main>
      <h1>Build a bot in ten minutes</h1>
      <p><a href="/">Home</a> <a href="/api/docs">All operations</a></p>
      <p>
        This bot calls a token on ${PRODUCT_NAME} and ends the call at +20% or −10%. You need Python or Node
        24, and an account that is a caller.
      </p>
      <h2>1. Create a key</h2>
      <p>
        Open <a href="/settings/sign-ins#api-keys">API Keys</a> in your settings, press “Create a key”, and
        switch on “May call”, which only callers see: <a href="/dashboard">become a caller</a> first. Copy the
        key: it is shown once. You can have ${MAX_API_KEYS} keys and revoke each at any time. A key never
        pays, and never changes your wallets or account. Don’t put it into a web page.
      </p>
      <h2>2. Know what counts</h2>
      <ul>
        <li>
          A gain within ${MIN_COUNTED_HOLD_MS / MINUTE_MS} minutes of the call counts as 0%; a loss always
          counts. <code>onlyIfCounted=true</code> refuses to end a call whose gain wouldn’t count.
        </li>
        <li>
          A second call on the same token within ${REPEATED_MINT_MS / HOUR_MS} hours is unranked, and so are
          calls on micro-caps and stablecoins (<a href="/how-we-count">How we count</a>).
        </li>
        <li>
          <code>targetPrice</code> and <code>stopPrice</code> of a call are published levels. Followers get a
          message when one is hit, but the call stays open until your bot ends it.
        </li>
        <li>
          Errors with <code>retryable: true</code> pass, such as <code>prices.disagree</code>. Repeat the
          request after <code>Retry-After</code> seconds, and after a lost connection. A repeated request may
          find its work done: <code>calls.already_called</code>, <code>calls.already_ended</code>.
        </li>
        <li>Keep no state in the program. After a crash, read your calls from the API.</li>
      </ul>
      <h2>3. Save the bot</h2>
      <p>Python 3.11 needs nothing else: save this as <code>bot.py</code>.</p>
      <pre><code>${pythonBot}</code></pre>
      <p>For TypeScript, begin with an empty folder:</p>
      <pre><code>npm init -y
npm pkg set type=module
npm install openapi-fetch
npm install --save-dev openapi-typescript typescript@5 @types/node
npx openapi-typescript ${origin}/api/openapi.json --output api.d.ts</code></pre>
      <p>
        The types come from our OpenAPI document, so your editor knows every path, body and response. Save
        this as
        <code>bot.ts</code>:
      </p>
      <pre><code>${bot}</code></pre>
      <h2>4. Start it</h2>
      <pre><code>export SOLCALLERS_URL=${origin} SOLCALLERS_KEY=sc_… HANDLE=your_handle MINT=DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263
python3 bot.py  # or: node bot.ts</code></pre>
      <p>
        <code>HANDLE</code> is your handle without @, <code>MINT</code> the token’s address. The bot prints
        the address of the call. You can stop and start it at any time.
      </p>
      ${reactToMessages}
      <h2>6. Show your record on your website</h2>
      <pre><code>${`<iframe src="${origin}/embed/caller/your_handle" title="My record on ${PRODUCT_NAME}" width="360" height="190"></iframe>`}</code></pre>
    </main>`,
  });
