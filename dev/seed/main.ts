// Writes the sample data in a process of its own, because it changes how the process loads modules and random numbers.
import { readSettings } from '../settings.ts';
import { allowWorkerImports } from './load-worker.ts';
import { makeRandomRepeatable } from './repeatable-random.ts';

allowWorkerImports();
makeRandomRepeatable('sample data');
// Exit when the parent process ends.
process.stdin.on('end', () => process.exit(1)).resume();
// web3.js tries several formats for each response, and its errors of those that don't fit need a quarter of the time.
Error.stackTraceLimit = 0;
// Hide the product's logs.
console.log = () => undefined;
const { seed } = await import('./seed.ts');
await seed({ settings: readSettings(process.env), now: Number(process.argv[2]) });
process.exit(0);
