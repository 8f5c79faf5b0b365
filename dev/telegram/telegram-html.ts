/** A formatted range as in the Bot API. Offsets count UTF-16 units. */
export interface MessageEntity {
  type: string;
  offset: number;
  length: number;
  url?: string;
}

export type ParsedHtml = { text: string; entities: MessageEntity[] } | { problem: string };

const entityTypes: Readonly<Record<string, string>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  code: 'code',
  pre: 'pre',
  a: 'text_link',
  blockquote: 'blockquote',
  'tg-spoiler': 'spoiler',
  span: 'spoiler',
};
const namedCharacters: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };
const tokenPattern = /<(\/?)([^\s>]*)([^>]*)>?|&(?:(lt|gt|amp|quot)|#(\d+)|#x([\da-f]+));|[^<&]+|&/gi;

/** Parses text with `parse_mode: HTML` as Telegram does, with the same errors. */
export function parseTelegramHtml(source: string): ParsedHtml {
  const entities: MessageEntity[] = [];
  const open: { tag: string; offset: number; url?: string }[] = [];
  let text = '';
  for (const token of source.matchAll(tokenPattern)) {
    const [whole, slash, tagName, attributes = '', name, decimal, hexadecimal] = token;
    const offset = Buffer.byteLength(source.slice(0, token.index));
    if (!whole.startsWith('<')) {
      text +=
        name === undefined
          ? decodeNumber({ whole, decimal, hexadecimal })
          : (namedCharacters[name.toLowerCase()] ?? whole);
      continue;
    }
    const tag = (tagName ?? '').toLowerCase();
    if (slash === '/') {
      const opened = open.pop();
      if (opened === undefined) return refuse(`Unexpected end tag at byte offset ${offset}`);
      if (opened.tag !== tag) {
        return refuse(
          `Unmatched end tag at byte offset ${offset}, expected "</${opened.tag}>", found "</${tag}>"`,
        );
      }
      addEntity({ opened, end: text.length, entities });
    } else if (!Object.hasOwn(entityTypes, tag)) {
      return refuse(`Unsupported start tag "${tag}" at byte offset ${offset}`);
    } else if (!whole.endsWith('>')) {
      return refuse(`Unclosed start tag at byte offset ${offset}`);
    } else {
      const url = /href\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(attributes);
      open.push({ tag, offset: text.length, ...(url === null ? {} : { url: url[1] ?? url[2] ?? '' }) });
    }
  }
  const unclosed = open.pop();
  if (unclosed !== undefined) {
    return refuse(`Can't find end tag corresponding to start tag "${unclosed.tag}"`);
  }
  return { text, entities };
}

function addEntity(options: {
  opened: { tag: string; offset: number; url?: string };
  end: number;
  entities: MessageEntity[];
}): void {
  const { tag, offset, url } = options.opened;
  const type = entityTypes[tag];
  const length = options.end - offset;
  // Telegram drops empty ranges, and a link without an address is plain text.
  if (type === undefined || length === 0 || (type === 'text_link' && url === undefined)) return;
  options.entities.push({ type, offset, length, ...(url === undefined ? {} : { url }) });
}

function decodeNumber(token: {
  whole: string;
  decimal: string | undefined;
  hexadecimal: string | undefined;
}): string {
  const point =
    token.decimal === undefined ? Number.parseInt(token.hexadecimal ?? '', 16) : Number(token.decimal);
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : token.whole;
}

function refuse(reason: string): ParsedHtml {
  return { problem: `Bad Request: can't parse entities: ${reason}` };
}
