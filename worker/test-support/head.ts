/** The parts of a page that a crawler reads from its head. */
export interface ReadHead {
  readonly title: string;
  readonly canonical: string | null;
  /** The content of the meta tags, by name or property. */
  readonly metas: Readonly<Record<string, string>>;
  /** Scripts that a browser executes, anywhere in the page. */
  readonly scripts: number;
  readonly stylesheets: number;
  readonly images: number;
}

/** Reads a page's head and decodes entities. @throws for a duplicate tag. */
export function readHead(page: string): ReadHead {
  const head = page.slice(0, page.indexOf('</head>'));
  const metas: Record<string, string> = {};
  for (const [tag] of head.matchAll(/<meta\s[^>]*>/g)) {
    const name = attributeOf(tag, 'property') ?? attributeOf(tag, 'name');
    if (name === null || name === 'theme-color') continue;
    if (name in metas) throw new Error(`Duplicate tag: ${name}`);
    metas[name] = attributeOf(tag, 'content') ?? '';
  }
  const titles = [...head.matchAll(/<title>([^<]*)<\/title>/g)];
  const canonicals = [...head.matchAll(/<link rel="canonical"[^>]*>/g)];
  if (titles.length !== 1 || canonicals.length > 1) throw new Error('Duplicate title or canonical URL');
  return {
    title: readEntities(titles[0]?.[1] ?? ''),
    canonical: canonicals[0] ? attributeOf(canonicals[0][0], 'href') : null,
    metas,
    scripts: countOf(page, '<script') - countOf(page, '<script type="application/json"'),
    stylesheets: countOf(head, 'rel="stylesheet"'),
    images: countOf(head, '<img'),
  };
}

function attributeOf(tag: string, name: string): string | null {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? null : readEntities(value);
}

function readEntities(text: string): string {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };
  return text.replace(/&(?:#(\d+)|(\w+));/g, (_, code: string | undefined, name: string | undefined) =>
    code === undefined ? (named[name ?? ''] ?? `&${name};`) : String.fromCodePoint(Number(code)),
  );
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}
