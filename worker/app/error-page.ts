import { html } from 'hono/html';
import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { plainPage } from './plain-page.ts';

export function errorPage(message: string) {
  return plainPage({
    title: `Something went wrong · ${PRODUCT_NAME}`,
    body: html`<main class="error">
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
    </main>`,
  });
}
