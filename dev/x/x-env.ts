import type { Grant } from './grants.ts';
import type { SamplePerson } from './people.ts';

/** The authenticated sender of a request. */
export type XEnv = { Variables: { grant: Grant; person: SamplePerson } };
