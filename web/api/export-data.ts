import { PRODUCT_NAME } from '#schema/constants.ts';
import type { ExportedData } from '#schema/contracts/account.ts';
import { client, read } from './client.ts';

/** A file with all data about the user. The server reads it part by part, so that no request is long. */
export async function exportData(onProgress: (rows: number) => void): Promise<File> {
  const sections = new Map<string, string[]>();
  let head: ExportedData['head'] = null;
  let count = 0;
  for (let place: ExportedData['next'] = {}; place !== null;) {
    const part: ExportedData = await read(client.api.user.export.$get({ query: place }));
    head ??= part.head;
    for (const [name, rows] of Object.entries(part.sections)) {
      const texts = sections.get(name) ?? [];
      texts.push(...rows.map((row) => JSON.stringify(row)));
      sections.set(name, texts);
      count += rows.length;
    }
    onProgress(count);
    place = part.next;
  }
  const texts = [...sections].map(([name, rows]) => `,\n${JSON.stringify(name)}: [\n${rows.join(',\n')}\n]`);
  const start = JSON.stringify(head, null, 1).replace(/\n\}$/, '');
  const day = head?.exported_at.slice(0, 10);
  return new File([start, ...texts, '\n}\n'], `${PRODUCT_NAME.toLowerCase()}-data-${day}.json`, {
    type: 'application/json',
  });
}
