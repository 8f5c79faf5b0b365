import { witnessClient } from '../../adapters/witness-client.ts';
import type { Base } from '../../app/base.ts';
import { createAnchorWallet } from './anchor-wallet.ts';
import { createAnchorsService } from './anchors.service.ts';
import { createLogArchive } from './log-archive.service.ts';
import { createLogKey } from './log-key.ts';
import { createLogService } from './log.service.ts';
import { createSequencerService } from './sequencer.service.ts';
import { createWitnessesService } from './witnesses.service.ts';

export function createLogModule(base: Base) {
  const { env, vars } = base;
  const name = vars.LOG_ORIGIN ?? vars.APP_ORIGIN.replace(/^https?:\/\//, '');
  const key = createLogKey({ name, seed: vars.LOG_PRIVATE_KEY });
  const oldKey = vars.LOG_OLD_PRIVATE_KEY ? createLogKey({ name, seed: vars.LOG_OLD_PRIVATE_KEY }) : null;
  const wallet = createAnchorWallet(vars.LOG_ANCHOR_KEY);
  const bucket = env.BACKUPS;
  const logWitnesses = createWitnessesService({
    ...base,
    witnesses: vars.LOG_WITNESSES,
    port: witnessClient,
  });
  return {
    logWitnesses,
    log: createLogService({ ...base, key, bucket, witnesses: logWitnesses }),
    logSequencer: createSequencerService({ ...base, key, oldKey, wallet, bucket }),
    logArchive: createLogArchive({ ...base, bucket }),
    logAnchors: createAnchorsService({ ...base, wallet, origin: key.name }),
  };
}
