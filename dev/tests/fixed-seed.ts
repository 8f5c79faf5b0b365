import fc from 'fast-check';

// A fixed seed, so that every run tests the same random values. `npm run test:deep` tests others.
fc.configureGlobal({ seed: 20_231_109 });
