export type FontMetrics = ReturnType<typeof readFontMetrics>;

/** Only cmap tables of format 4 are supported (segment mapping to delta values). */
const CMAP_FORMAT = 4;

/** Reads a TTF's `head`, `hhea`, `hmtx` and a `cmap` of format 4. @throws if the file lacks them */
export function readFontMetrics(bytes: ArrayBuffer) {
  const view = new DataView(bytes);
  const tables = readTables(view);
  const unitsPerEm = view.getUint16(tables('head') + 18);
  const widthCount = view.getUint16(tables('hhea') + 34);
  const widths = tables('hmtx');
  const glyphOf = readGlyphMap(view, tables('cmap'));
  return {
    /** Advance width as a fraction of the font size; `null` if the font lacks the character. */
    advanceOf(character: string): number | null {
      const glyph = glyphOf(character.codePointAt(0) ?? 0);
      return glyph === 0 ? null : view.getUint16(widths + 4 * Math.min(glyph, widthCount - 1)) / unitsPerEm;
    },
  };
}

function readTables(view: DataView): (tag: string) => number {
  const offsets = new Map<string, number>();
  for (let index = 0; index < view.getUint16(4); index++) {
    const entry = 12 + 16 * index;
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((byte) => view.getUint8(entry + byte)));
    offsets.set(tag, view.getUint32(entry + 8));
  }
  return (tag) => {
    const offset = offsets.get(tag);
    if (offset === undefined) throw new Error(`The font has no table ${tag}`);
    return offset;
  };
}

/** Maps a code point to its glyph; 0 means that there is none. */
function readGlyphMap(view: DataView, cmap: number): (point: number) => number {
  const subtables = Array.from(
    { length: view.getUint16(cmap + 2) },
    (_, index) => cmap + view.getUint32(cmap + 8 + 8 * index),
  );
  const table = subtables.find((offset) => view.getUint16(offset) === CMAP_FORMAT);
  if (table === undefined) throw new Error('The font has no cmap of format 4');
  const size = view.getUint16(table + 6);
  const ends = table + 14;
  const starts = ends + size + 2;
  const deltas = starts + size;
  const ranges = deltas + size;
  return (point) => {
    for (let at = 0; at < size; at += 2) {
      if (point > view.getUint16(ends + at)) continue;
      if (point < view.getUint16(starts + at)) return 0;
      const range = view.getUint16(ranges + at);
      const delta = view.getUint16(deltas + at);
      if (range === 0) return (point + delta) & 0xffff;
      const glyph = view.getUint16(ranges + at + range + 2 * (point - view.getUint16(starts + at)));
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  };
}
