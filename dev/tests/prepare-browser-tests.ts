import { buildProduct } from '../build/build-product.ts';
import { copySampleData } from '../local/shared-sample-data.ts';

// Creates the sample data and builds the product for the browser tests, so that they needn't wait for them.
await copySampleData([]);
await buildProduct();
