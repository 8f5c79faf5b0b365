interface Generated {
  readonly name: string;
  readonly text: string;
}

/**
 * Replaces the text between `<!-- name -->` and `<!-- /name -->`.
 * @throws Error if the page doesn't have these comments
 */
export function replaceGenerated(page: string, { name, text }: Generated): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`The page has no ${start} … ${end}`);
  return `${page.slice(0, from)}${start}\n\n${text}\n\n${page.slice(to)}`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}
