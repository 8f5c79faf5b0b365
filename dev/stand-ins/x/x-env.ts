import type { Grant } from './grants.ts';
import type { SamplePerson } from './people.ts';

export type XEnv = { Variables: { grant: Grant; person: SamplePerson } };
