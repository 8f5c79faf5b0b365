import { PAGES, type PagePath } from '#schema/rules/text/page-texts.ts';

/** All pages except the pages of callers and calls. */
export const PAGE_PATHS = Object.keys(PAGES) as PagePath[];

/** Returns the path without and with a trailing slash. The worker and the browser's router serve both. */
export function withSlash<Path extends string>(path: Path): [Path, `${Path}/`] | [Path] {
  return path === '/' ? [path] : [path, `${path}/`];
}
