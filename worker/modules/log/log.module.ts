import { witnessClient } from '../../adapters/witness-client.ts';
import type { Base } from '../../app/base.ts';
import { createAnchorWallet } from './anchor-wallet.ts';
import { createAnchorsRepository } from './anchors.repository.ts';
import { createAnchorsService } from './anchors.service.ts';
import { createLogKey } from './log-key.ts';
import { createLogRepository } from './log.repository.ts';
import { createLogService } from './log.service.ts';
import { createSequencerService } from './sequencer.service.ts';
import { createWitnessesRepository } from './witnesses.repository.ts';
import { createWitnessesService } from './witnesses.service.ts';

export function createLogModule(base: Base) {
  const { env, vars, db } = base;
  const name = vars.LOG_ORIGIN ?? vars.APP_ORIGIN.replace(/^https?:\/\//, '');
  const key = createLogKey({ name, seed: vars.LOG_PRIVATE_KEY });
  const oldKey = vars.LOG_OLD_PRIVATE_KEY ? createLogKey({ name, seed: vars.LOG_OLD_PRIVATE_KEY }) : null;
  const wallet = createAnchorWallet(vars.LOG_ANCHOR_KEY);
  const bucket = env.BACKUPS;
  const repository = createLogRepository(db);
  const logWitnesses = createWitnessesService({
    ...base,
    witnesses: vars.LOG_WITNESSES,
    repository: createWitnessesRepository(db),
    log: repository,
    port: witnessClient,
  });
  return {
    logWitnesses,
    log: createLogService({ db, repository, key, bucket, witnesses: logWitnesses }),
    logSequencer: createSequencerService({ ...base, repository, key, oldKey, wallet, bucket }),
    logAnchors: createAnchorsService({
      ...base,
      repository: createAnchorsRepository(db),
      wallet,
      origin: key.name,
    }),
  };
}
