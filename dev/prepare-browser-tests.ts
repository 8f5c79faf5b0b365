import { copySampleData } from './shared-sample-data.ts';

// Creates the sample data for the browser tests, so that they needn't wait for it.
await copySampleData([]);
