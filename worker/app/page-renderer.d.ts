import type { RenderPage } from '../ports/page-renderer.ts';

/**
 * The types of `#page-renderer` (package.json), which is web/entry-server.tsx. The worker imports nothing else from
 * web.
 */
export const renderPage: RenderPage;
