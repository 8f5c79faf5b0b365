// The command of `buildProductApart`.
import { buildProduct } from './build-product.ts';

// Exit when the parent process ends.
process.stdin.on('end', () => process.exit(1)).resume();
await buildProduct();
process.exit(0);
