import { html } from 'hono/html';
import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { SHARE_IMAGE } from '#schema/constants/public.ts';

export interface PageHead {
  readonly title: string;
  readonly isIndexed: boolean;
  /** For link previews; absent for private pages. */
  readonly preview?: PagePreview;
  readonly feed?: { readonly title: string; readonly path: string };
}

export interface PagePreview {
  /** The title without the product name, which previews show separately. */
  readonly title: string;
  readonly description: string;
  readonly url: string;
  readonly type: 'website' | 'profile' | 'article';
  readonly imageUrl?: string;
}

/** Inserts tags right after the title, because some crawlers read only the first kilobytes of a page. */
export function writeHead(shell: Response, { title, isIndexed, preview, feed }: PageHead): Response {
  const added =
    (isIndexed ? '' : '<meta name="robots" content="noindex" />') +
    (preview ? previewTags(preview) : '') +
    (feed ? feedTag(feed) : '');
  const rewriter = new HTMLRewriter().on('title', {
    element: (element) => {
      element.setInnerContent(title);
      element.after(added, { html: true });
    },
  });
  if (preview) rewriter.on('meta[name="description"]', { element: (element) => void element.remove() });
  return rewriter.transform(shell);
}

function feedTag({ title, path }: NonNullable<PageHead['feed']>): string {
  return String(html`<link rel="alternate" type="application/rss+xml" title="${title}" href="${path}" />`);
}

/** Uses hono/html because it also escapes ampersands, unlike HTMLRewriter's setAttribute. */
function previewTags({ title, description, url, type, imageUrl }: PagePreview): string {
  const image =
    imageUrl === undefined
      ? ''
      : html` <meta property="og:image" content="${imageUrl}" />
          <meta property="og:image:type" content="image/png" />
          <meta property="og:image:width" content="${SHARE_IMAGE.width}" />
          <meta property="og:image:height" content="${SHARE_IMAGE.height}" />
          <meta property="og:image:alt" content="${title}" />
          <meta name="twitter:image" content="${imageUrl}" />
          <meta name="twitter:image:alt" content="${title}" />`;
  return String(html`
    <meta name="description" content="${description}" />
    <link rel="canonical" href="${url}" />
    <meta property="og:site_name" content="${PRODUCT_NAME}" />
    <meta property="og:type" content="${type}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${url}" />
    <meta name="twitter:card" content="${imageUrl === undefined ? 'summary' : 'summary_large_image'}" />
    <meta name="twitter:title" content="${title}" />
    <meta name="twitter:description" content="${description}" />${image}
  `);
}
