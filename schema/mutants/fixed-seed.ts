import fc from 'fast-check';

// A mutant that one run's random values notice has to be noticed in the next run, too.
fc.configureGlobal({ seed: 20_231_109 });
