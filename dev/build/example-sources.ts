import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../settings.ts';
import { virtualModule } from './virtual-module.ts';

const FILES = {
  bot: 'bot.ts',
  receiver: 'webhook-receiver.ts',
  pythonBot: 'bot.py',
  pythonReceiver: 'webhook_receiver.py',
};
const read = (file: string) => readFileSync(join(root, 'dev/examples', file), 'utf8');

/** Gives the worker the text of the programs in dev/examples, which its documentation shows. */
export const exampleSources = () =>
  virtualModule('example-sources', () =>
    Object.entries(FILES)
      .map(([name, file]) => `export const ${name} = ${JSON.stringify(read(file))};`)
      .join('\n'),
  );
