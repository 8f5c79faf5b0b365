export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The element's own text, without its children's. */
  readonly text: string;
}

const DECLARATION = /^<\?xml version="1\.0" encoding="UTF-8"\?>\s*/;
const TAG = /<(\/?)([a-z][\w:-]*)((?: [a-z][\w:-]*="[^"<]*")*)( ?\/)?>/giy;
const TEXT = /[^<]*/y;
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

interface OpenElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
}

/** Parses XML as strictly as the standard requires. Doesn't support comments, CDATA sections and named entities. */
export function parseXml(xml: string): XmlElement {
  if (FORBIDDEN.test(xml)) throw new Error('XML 1.0 forbids a character of the document.');
  const start = DECLARATION.exec(xml)?.[0].length;
  if (start === undefined) throw new Error('The XML declaration is missing.');
  const document: OpenElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [document];
  for (let at = start; at < xml.length;) {
    const parent = open.at(-1) ?? document;
    const text = readAt(TEXT, xml, at)?.[0] ?? '';
    parent.text += decode(text);
    at += text.length;
    if (at === xml.length) break;
    const tag = readAt(TAG, xml, at);
    if (!tag) throw new Error(`Malformed tag: ${xml.slice(at, at + 80)}`);
    at += tag[0].length;
    const [, slash, name = '', attributes = '', isEmpty] = tag;
    if (slash === '/') {
      if (name !== parent.name) throw new Error(`</${name}> closes <${parent.name}>.`);
      open.pop();
      continue;
    }
    const element = { name, attributes: readAttributes(attributes), children: [], text: '' };
    parent.children.push(element);
    if (isEmpty === undefined) open.push(element);
  }
  const [root] = document.children;
  if (open.length !== 1 || document.children.length !== 1 || document.text.trim() !== '' || !root) {
    throw new Error('The document must be one closed element.');
  }
  return root;
}

function readAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function readAttributes(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/ ([\w:-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, decode(value)]),
  );
}

function decode(text: string): string {
  if (/&(?!#\d+;)/.test(text)) throw new Error(`An ampersand starts no reference: ${text}`);
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}
