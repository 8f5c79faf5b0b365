import { buildProduct } from '../build/build-product.ts';
import { copySampleData } from '../local/shared-sample-data.ts';

// Creates the sample data and builds the product, so that the browser tests needn't wait for either.
await copySampleData([]);
await buildProduct();
