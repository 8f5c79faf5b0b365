import { html } from 'hono/html';
import { PRODUCT_NAME } from '#schema/constants.ts';

/** A self-contained page with an error message, for a browser that opened an API link. */
export function errorPage(message: string) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="dark light" />
        <title>Something went wrong · ${PRODUCT_NAME}</title>
        <style>
          :root {
            color-scheme: light dark;
            --ink: light-dark(#141b2c, #eceff5);
            --muted: light-dark(#545c70, #a3abbd);
          }
          body {
            margin: 0;
            min-height: 100dvh;
            display: grid;
            place-content: center;
            padding: 1.5rem;
            background: light-dark(#f8f6f0, #0c111b);
            color: var(--ink);
            font:
              16px/1.5 system-ui,
              sans-serif;
          }
          main {
            max-width: 30rem;
          }
          h1 {
            margin: 1.5rem 0 0.5rem;
            font-size: 1.625rem;
            line-height: 2rem;
            letter-spacing: -0.02em;
          }
          p {
            margin: 0;
            color: var(--muted);
          }
          a {
            display: inline-flex;
            align-items: center;
            min-height: 44px;
            margin-top: 1.5rem;
            padding: 0 1rem;
            border-radius: 8px;
            background: #f5cf38;
            color: #141b2c;
            font-weight: 500;
            text-decoration: none;
          }
          a:focus-visible {
            outline: 2px solid currentColor;
            outline-offset: 3px;
          }
        </style>
      </head>
      <body>
        <main>
          <svg
            width="120"
            height="24"
            viewBox="0 0 120 24"
            fill="none"
            stroke="currentColor"
            stroke-width="1.5"
            aria-hidden="true"
          >
            <circle cx="6" cy="17" r="4" />
            <path d="M10 17 52 14M68 12 110 9M57 9 63 17M63 9 57 17" />
            <circle cx="114" cy="9" r="4" fill="currentColor" />
          </svg>
          <h1>Something went wrong</h1>
          <p>${message}</p>
          <a href="/">Back to ${PRODUCT_NAME}</a>
        </main>
      </body>
    </html>`;
}
