import type { RenderPage } from '../ports/page-renderer.ts';

/** The types of `#page-renderer` (package.json), which is web/entry-server.tsx. The worker sees nothing else of web. */
export const renderPage: RenderPage;
