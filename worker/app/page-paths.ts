import { PAGES, type PagePath } from '#schema/rules/text/page-texts.ts';

export const PAGE_PATHS = Object.keys(PAGES) as PagePath[];

export function withSlash<Path extends string>(path: Path): [Path, `${Path}/`] | [Path] {
  return path === '/' ? [path] : [path, `${path}/`];
}
