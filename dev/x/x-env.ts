import type { Grant } from './grants.ts';
import type { SamplePerson } from './people.ts';

/** What a request to the API knows about its sender. */
export type XEnv = { Variables: { grant: Grant; person: SamplePerson } };
