import fc from 'fast-check';

// A fixed seed, so that every run finds the same mutants.
fc.configureGlobal({ seed: 20_231_109 });
