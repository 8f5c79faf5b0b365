import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

const sharedStyle = `
:root { color-scheme: light dark; --ground: #f6f5f1; --surface: #fffefb; --text: #16181d; --muted: #5b606b;
  --line: #d9d7cf; --accent: #1f4fd8; --on-accent: #fff; --bubble: #e6ecfd; }
@media (prefers-color-scheme: dark) { :root { --ground: #0e1118; --surface: #161a23; --text: #eceef3;
  --muted: #9aa1b0; --line: #2a3040; --accent: #86a6ff; --on-accent: #0e1118; --bubble: #22304f; } }
* { box-sizing: border-box; }
body { display: flex; flex-direction: column; min-height: 100dvh; margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 34rem; margin: 0 auto; padding: 24px 16px 40px; }
a { color: var(--accent); }
h1 { margin: 0 0 8px; font-size: 22px; line-height: 1.25; }
p { margin: 0 0 16px; }
.muted { color: var(--muted); font-size: 14px; }
.notice { margin: 0; padding: 8px 16px; border-bottom: 1px solid var(--line); color: var(--muted); font-size: 14px; text-align: center; }
.button, button { display: inline-flex; align-items: center; justify-content: center; min-height: 44px; padding: 0 18px;
  border: 1px solid var(--line); border-radius: 8px; background: var(--surface); color: var(--text); font: inherit;
  font-weight: 600; text-decoration: none; cursor: pointer; }
.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
button:disabled { opacity: .55; cursor: default; }
input { width: 100%; min-height: 44px; padding: 0 12px; border: 1px solid var(--line); border-radius: 8px;
  background: var(--surface); color: var(--text); font: inherit; }
label { display: block; margin-bottom: 6px; font-weight: 600; }
.row { display: flex; gap: 8px; }
.row > input { flex: 1; min-width: 0; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;

export function pageShell(options: { title: string; notice: string; style?: string; body: Markup }): Markup {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${options.title}</title>
        <link rel="icon" href="data:," />
        <style>
          ${raw(sharedStyle)}${raw(options.style ?? '')}
        </style>
      </head>
      <body>
        <header class="notice">${options.notice}</header>
        <main>${options.body}</main>
      </body>
    </html>`;
}
