import { PAGES } from '#schema/rules/text/page-texts.ts';
import { keysOf } from '#schema/rules/typed-keys.ts';

export const PAGE_PATHS = keysOf(PAGES);

export function withSlash<Path extends string>(path: Path): [Path, `${Path}/`] | [Path] {
  return path === '/' ? [path] : [path, `${path}/`];
}
