/** A screenshot. `file` is its path within the contact sheet's folder. */
export interface Picture {
  readonly file: string;
  readonly state: string;
  readonly theme: string;
  readonly width: number;
  readonly height: number;
}

/** Creates an HTML page with a screen's screenshots: one row per state, one column per width and theme. */
export function contactSheet({
  title,
  pictures,
}: {
  readonly title: string;
  readonly pictures: readonly Picture[];
}): string {
  const states = [...new Set(pictures.map(({ state }) => state))];
  const rows = states.map(
    (state) =>
      `<h2>${state}</h2><div class="row">${pictures
        .filter((picture) => picture.state === state)
        .map(figureOf)
        .join('')}</div>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>${title}</title><style>${style}</style><h1>${title}</h1>${rows.join('')}`;
}

function figureOf({ file, theme, width }: Picture): string {
  return `<figure style="flex-grow:${Math.sqrt(width)}"><a href="${file}"><img src="${file}" alt=""></a><figcaption>${width} ${theme}</figcaption></figure>`;
}

const style = `
body { margin: 24px; background: #777; color: #fff; font: 16px system-ui; }
.row { display: flex; gap: 12px; align-items: flex-start; }
figure { flex-basis: 0; min-width: 0; margin: 0; }
img { display: block; width: 100%; }
`;
