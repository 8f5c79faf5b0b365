import { html, raw } from 'hono/html';
import { pageShell, type Markup } from '../controls/page-shell.ts';
import type { Chat, ChatMessage } from './chat-state.ts';
import type { Bot } from './chats.ts';

const style = `
ol { display: grid; gap: 8px; margin: 16px 0; padding: 0; list-style: none; }
li { max-width: 85%; padding: 8px 12px; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); overflow-wrap: anywhere; }
li p { margin: 0; white-space: pre-wrap; }
li.user { justify-self: end; background: var(--bubble); }
li a.button { display: flex; margin-top: 8px; }
form { margin: 8px 0; }
`;
const POLL_MS = 1500;
/** Shows new messages without a reload, which would lose a text that's being typed. */
const script = `
setInterval(async () => {
  const page = new DOMParser().parseFromString(await (await fetch(location)).text(), 'text/html');
  const [shown, messages] = [document, page].map((each) => each.querySelector('ol'));
  if (shown.innerHTML !== messages.innerHTML) shown.innerHTML = messages.innerHTML;
}, ${POLL_MS});`;

interface ChatPageOptions {
  bot: Bot;
  payload: string;
  /** The Telegram username; empty before it's typed. */
  handle: string;
  chat: Chat | undefined;
  messages: readonly ChatMessage[];
  problem: string;
}

export function chatPage(options: ChatPageOptions): Markup {
  const { bot, handle } = options;
  return pageShell({
    title: `${bot.first_name} on Telegram (local stand-in)`,
    notice: 'This is a local stand-in for Telegram. Nothing leaves this machine.',
    style,
    body: html`<h1>${bot.first_name}</h1>
      <p class="muted">@${bot.username}</p>
      ${handle === '' ? identityForm(options) : chatSection(options)}`,
  });
}

const identityForm = ({ payload }: ChatPageOptions) => html`
  <form>
    <p>Who are you on Telegram? Type the username that you saved on SolCallers.</p>
    <label for="handle">Telegram username</label>
    <input type="hidden" name="start" value="${payload}" />
    <div class="row">
      <input id="handle" name="as" required pattern="@?[A-Za-z0-9_]{3,32}" placeholder="@your_username" />
      <button class="primary">Open</button>
    </div>
  </form>
`;

function chatSection({ payload, handle, chat, messages, problem }: ChatPageOptions) {
  const isStarted = messages.length > 0 && chat?.isBlocked === false;
  const startText = chat?.isBlocked ? 'Unblock and start' : 'Start';
  return html`
    <p><b>@${handle}</b> <a href="/telegram">Switch</a></p>
    <ol role="log" aria-label="Messages">
      ${messages.map(messageItem)}
    </ol>
    <p role="status">${problem}</p>
    ${
      isStarted && payload === ''
        ? html`${action('write', handle, html`<input name="text" aria-label="Message" required maxlength="4096" /><button class="primary">Send</button>`)}
          ${action('block', handle, html`<button>Block bot</button>`)}`
        : action(
            'start',
            handle,
            html`<input type="hidden" name="payload" value="${payload}" /><button class="primary">
                ${startText}
              </button>`,
          )
    }
    <script type="module">
      ${raw(script)};
    </script>
  `;
}

const action = (name: string, handle: string, fields: Markup) => html`
  <form class="row" method="post" action="/telegram/_chat/${name}">
    <input type="hidden" name="handle" value="${handle}" />
    ${fields}
  </form>
`;

function messageItem({ from, text, buttons }: ChatMessage) {
  const parts = text
    .split(/(https?:\/\/\S+)/)
    .map((part) => (/^https?:/.test(part) ? link(part, part, '') : part));
  return html`<li class="${from}">
    <p>${parts}</p>
    ${buttons.map((button) => link(button.text, button.url, 'button'))}
  </li>`;
}

const link = (text: string, url: string, className: string) =>
  html`<a class="${className}" href="${url}" target="_blank" rel="noopener">${text}</a>`;
