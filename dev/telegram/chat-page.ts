import { html } from 'hono/html';
import { pageShell, type Markup } from '../controls/page-shell.ts';
import type { Bot } from './chats.ts';

const style = `
main { display: flex; flex: 1; flex-direction: column; padding: 16px; }
header { padding-bottom: 12px; }
header h1 { margin: 0; }
[hidden] { display: none !important; }
.who { margin: 0 0 8px; }
.chat { display: flex; flex: 1; flex-direction: column; }
.bar { display: flex; align-items: center; justify-content: space-between; gap: 8px; padding: 8px 0; border-block: 1px solid var(--line); }
.bar b { min-width: 0; overflow-wrap: anywhere; }
.bar button { min-height: 44px; padding: 0 14px; font-weight: 500; }
ol { display: flex; flex: 1; flex-direction: column; gap: 8px; margin: 0; padding: 16px 0; list-style: none; }
ol:empty::before { content: attr(data-empty); margin: auto; color: var(--muted); text-align: center; }
li { max-width: 85%; padding: 8px 12px; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); }
li.user { align-self: flex-end; border-color: transparent; background: var(--bubble); }
li p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
li time { display: block; color: var(--muted); font-size: 12px; text-align: right; }
li a.button { width: 100%; margin-top: 8px; }
footer { position: sticky; bottom: 0; padding: 8px 0; background: var(--ground); }
footer > button { width: 100%; }
.status { min-height: 24px; margin: 0; }
`;

const identitySection = html`
  <section id="who" hidden>
    <form id="who-form">
      <p class="who">Who are you on Telegram? Type the username that you saved on SolCallers.</p>
      <label for="handle">Telegram username</label>
      <div class="row">
        <input
          id="handle"
          name="handle"
          required
          pattern="@?[A-Za-z0-9_]{3,32}"
          title="3 to 32 letters, digits and underscores"
          placeholder="@your_username"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
        />
        <button class="primary">Open</button>
      </div>
    </form>
  </section>
`;

const chatSection = html`
  <section id="chat" class="chat" hidden>
    <div class="bar">
      <b id="me"></b>
      <span class="row">
        <button id="block" type="button">Block bot</button>
        <button id="leave" type="button">Switch</button>
      </span>
    </div>
    <ol
      id="messages"
      role="log"
      aria-label="Messages"
      data-empty="No messages yet. Press Start to begin."
    ></ol>
    <footer>
      <p id="status" class="status muted" role="status"></p>
      <button id="start" class="primary" type="button">Start</button>
      <form id="write-form" hidden>
        <div class="row">
          <input
            id="text"
            aria-label="Message"
            placeholder="Message"
            autocomplete="off"
            required
            maxlength="4096"
          />
          <button class="primary">Send</button>
        </div>
      </form>
    </footer>
  </section>
`;

interface ChatPageOptions {
  bot: Bot;
  payload: string;
  handle: string;
}

export function chatPage({ bot, payload, handle }: ChatPageOptions): Markup {
  const body = html`
    <header>
      <h1>${bot.first_name}</h1>
      <span class="muted">@${bot.username}</span>
    </header>
    ${identitySection} ${chatSection}
    <script
      type="module"
      src="/telegram/_chat/chat-client.js"
      data-payload="${payload}"
      data-handle="${handle}"
      id="client"
    ></script>
  `;
  return pageShell({
    title: `${bot.first_name} on Telegram (local stand-in)`,
    notice: 'This is a local stand-in for Telegram. Nothing leaves this machine.',
    style,
    body,
  });
}
