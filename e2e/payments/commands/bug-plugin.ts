import type { Vite } from 'vitest/node';
import { plantedBugs, type PlantedBug } from '../planted-bugs.ts';

/** Matches code in any formatting. Spaces, the kind of quotes and trailing commas don't matter. */
function inAnyFormatting(code: string): RegExp {
  const tokens = code.match(/\w+|[^\s\w]/g) ?? [];
  const patterns = tokens.map((token, index) => {
    if (token === "'" || token === '"') return `['"]`;
    if (/[)\]}]/.test(token)) return `,?\\s*\\${token}`;
    const isTrailingComma = token === ',' && /[)\]}]/.test(tokens[index + 1] ?? '');
    return isTrailingComma ? '' : token.replace(/\W/, '\\$&');
  });
  return new RegExp(patterns.join('\\s*'), 'g');
}

/** @throws if the code to replace isn't found exactly once */
export function plant(
  source: string,
  { name, place, replacement }: Omit<PlantedBug, 'file' | 'model'>,
): string {
  const pattern = inAnyFormatting(place);
  const count = source.match(pattern)?.length ?? 0;
  if (count !== 1) throw new Error(`The code to replace for "${name}" was found ${count} times`);
  return source.replace(pattern, () => replacement);
}

/** Plants a bug into the code that vitest loads. Without a name, it changes nothing. */
export function plantBug(name: string | undefined): Vite.Plugin {
  const bug = plantedBugs.find((each) => each.name === name);
  if (name !== undefined && !bug) throw new Error(`There is no planted bug "${name}"`);
  return {
    name: 'plant-bug',
    enforce: 'pre',
    // The cache key contains the bug. Otherwise vitest would reuse modules that it has cached on disk without
    // the bug.
    configureVitest: ({ defineCacheKeyGenerator }) => defineCacheKeyGenerator(() => name),
    transform(source, id) {
      return bug && id.split('?')[0]?.endsWith(`/${bug.file}`) ? plant(source, bug) : undefined;
    },
  };
}
