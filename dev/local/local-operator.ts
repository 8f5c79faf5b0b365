import { samplePeople } from '../stand-ins/x/people.ts';

const operator = samplePeople.find(({ handle }) => handle === 'no_email_noor');
if (!operator) throw new Error('The sample operator is missing');

/** The operator of the local environment, and the secret of its command line. */
export const localOperator = {
  handle: operator.handle,
  xUserId: operator.xUserId,
  token: 'local-operators-token-of-32-characters-or-more',
} as const;
