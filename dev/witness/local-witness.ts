import { keypairFrom } from '../seed/fixtures.ts';
import { COSIGNS, SIGNS_NOTES } from '#worker/modules/log/signed-note.ts';
import { keyOf } from './notes.ts';

/** The name of the local product's log. It isn't the product's address, because data are copied to environments at other ports. */
export const localLogName = 'solcallers.local';

/** The seed of the key of the local product's log. */
export const localLogSeed = Buffer.alloc(32, 'local-log-key');

/** The witness of the local environment. */
export const localWitness = {
  name: 'witness.solcallers.example/local',
  seed: Buffer.from(keypairFrom('witness').secretKey.subarray(0, 32)),
};

export const localWitnessKey = keyOf(localWitness, COSIGNS).verifierKey;

/** The verifier key of the local product's log. */
export const localLogKey = keyOf({ name: localLogName, seed: localLogSeed }, SIGNS_NOTES).verifierKey;
