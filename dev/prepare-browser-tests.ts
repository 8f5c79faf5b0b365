import { buildProduct } from './build-product.ts';
import { copySampleData } from './shared-sample-data.ts';

// Creates the sample data and builds the product for the browser tests, so that they needn't wait for them.
await copySampleData([]);
await buildProduct();
