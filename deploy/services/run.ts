import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseSecretsFile } from '../configuration.ts';
import { ENVIRONMENTS } from '../environments.ts';
import { checkServices, describeResults } from './check-services.ts';
import { readServiceSettings } from './service-settings.ts';

// npm run check:services -- staging|production [--secrets-file <path>]

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'secrets-file': { type: 'string' } },
});
const environment = ENVIRONMENTS.find((each) => each === positionals[0]);
if (environment === undefined) {
  console.error('Usage: npm run check:services -- staging|production [--secrets-file <path>]');
  process.exit(64);
}
const file = values['secrets-file'];
const given = file === undefined ? {} : parseSecretsFile(readFileSync(file, 'utf8'));
const results = await checkServices(readServiceSettings({ environment, given, shell: process.env }));
console.log(describeResults(results));
process.exitCode = results.some(({ state }) => state === 'key refused' || state === 'unexpected') ? 1 : 0;
