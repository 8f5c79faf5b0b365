import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export interface PlainPage {
  readonly title: string;
  /** The path of the page's only stylesheet: its Content-Security-Policy allows no inline styles. */
  readonly stylesheet: string;
  /** Further elements of the head. */
  readonly head?: Html;
  readonly body: Html;
}

/** A page without scripts, outside of the web app. */
export const plainPage = ({ title, stylesheet, head, body }: PlainPage): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="dark light" />
        <title>${title}</title>
        <link rel="stylesheet" href="${stylesheet}" />
        ${head ?? ''}
      </head>
      <body>
        ${body}
      </body>
    </html>`;
