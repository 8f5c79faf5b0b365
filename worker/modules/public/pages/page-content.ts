import type { RenderedPage } from '../../../ports/page-renderer.ts';

/** Inserts the page's content, followed by its data as JSON, which the browser doesn't execute. */
export function writeContent(shell: Response, { html, data }: RenderedPage): Response {
  return new HTMLRewriter()
    .on('#root', {
      element: (root) => {
        root.setInnerContent(html, { html: true });
        root.after(`<script type="application/json" id="first-page">${data}</script>`, { html: true });
      },
    })
    .transform(shell);
}
