// Deletes the local environment: its chain, its database and the stand-ins' state.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const dataDir = process.env.SOLCALLERS_DATA ?? fileURLToPath(new URL('../.local/main', import.meta.url));
rmSync(dataDir, { recursive: true, force: true });
console.log('The local environment is empty. The next `npm start` creates new sample data.');
