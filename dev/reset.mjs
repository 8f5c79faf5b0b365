// Deletes the local environment: its chain, its database and the stand-ins' state.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const dataDir = process.env.SOLCALLERS_DATA ?? fileURLToPath(new URL('../.local/main', import.meta.url));
rmSync(dataDir, { recursive: true, force: true });
// `npm run verify` remembers the log that is deleted.
const verified = new URL(`../.local/verify/localhost-${process.env.PORT ?? 8787}`, import.meta.url);
rmSync(verified, { recursive: true, force: true });
console.log('The local environment is empty. The next `npm start` creates new sample data.');
