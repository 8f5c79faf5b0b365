import { html } from 'hono/html';
import { PRODUCT_NAME, SHARE_IMAGE } from '#schema/constants.ts';

/** What stands in the head of a page. */
export interface PageHead {
  /** As the tab shows it. */
  readonly title: string;
  /** Whether searches may find the page. */
  readonly isIndexed: boolean;
  /** What a link to the page unfolds to; absent where that is nobody's business. */
  readonly preview?: PagePreview;
}

export interface PagePreview {
  /** Without the product's name, which stands beside it. */
  readonly title: string;
  /** One line. */
  readonly description: string;
  /** The page's one address. */
  readonly url: string;
  readonly type: 'website' | 'profile' | 'article';
  /** Of a picture of 1200×675. */
  readonly imageUrl?: string;
}

/** The app's shell with the head of one page. What is added stands high up: some crawlers read no further than the first kilobytes. */
export function writeHead(shell: Response, { title, isIndexed, preview }: PageHead): Response {
  const added =
    (isIndexed ? '' : '<meta name="robots" content="noindex" />') + (preview ? previewTags(preview) : '');
  const rewriter = new HTMLRewriter().on('title', {
    element: (element) => {
      element.setInnerContent(title);
      element.after(added, { html: true });
    },
  });
  if (preview) rewriter.on('meta[name="description"]', { element: (element) => void element.remove() });
  return rewriter.transform(shell);
}

/** hono/html escapes what it puts in, ampersands too, which HTMLRewriter's own setAttribute leaves as they are. */
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
