import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export interface PlainPage {
  readonly title: string;
  readonly head?: Html;
  readonly body: Html;
}

/** A page outside of the web app, without scripts and inline styles, which its Content-Security-Policy refuses. */
export const plainPage = ({ title, head, body }: PlainPage): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="dark light" />
        <title>${title}</title>
        <link rel="icon" href="/favicon.svg" />
        <link rel="stylesheet" href="/plain.css" />
        ${head ?? ''}
      </head>
      <body>
        ${body}
      </body>
    </html>`;
