import { witnessClient } from '../../adapters/witness-client.ts';
import type { Base } from '../../app/base.ts';
import { createAnchorWallet } from './anchor-wallet.ts';
import { createAnchorsRepository } from './anchors.repository.ts';
import { createAnchorsService } from './anchors.service.ts';
import { createLogKey } from './log-key.ts';
import { createLogRepository } from './log.repository.ts';
import { createLogService } from './log.service.ts';
import { createRecordRepository } from './record.repository.ts';
import { createRecordService } from './record.service.ts';
import { createSequencerService } from './sequencer.service.ts';
import { createWitnessesRepository } from './witnesses.repository.ts';
import { createWitnessesService } from './witnesses.service.ts';

/** The public log of calls. */
export function createLogModule({ env, vars, db, chain, leases, alarmDaily, clock }: Base) {
  const name = vars.LOG_ORIGIN ?? vars.APP_ORIGIN.replace(/^https?:\/\//, '');
  const key = createLogKey({ name, seed: vars.LOG_PRIVATE_KEY });
  const bucket = env.BACKUPS;
  const repository = createLogRepository(db);
  const anchors = createAnchorsRepository(db);
  const logWitnesses = createWitnessesService({
    witnesses: vars.LOG_WITNESSES,
    repository: createWitnessesRepository(db),
    log: repository,
    port: witnessClient,
    leases,
    clock,
  });
  return {
    signReceipt: key.signReceipt,
    logWitnesses,
    log: createLogService({ repository, key, bucket, witnesses: logWitnesses }),
    logRecords: createRecordService({ repository, records: createRecordRepository(db), anchors }),
    logSequencer: createSequencerService({ repository, key, bucket, alarmDaily, clock }),
    logAnchors: createAnchorsService({
      repository: anchors,
      wallet: createAnchorWallet(vars.LOG_ANCHOR_KEY),
      origin: key.name,
      chain,
      leases,
      alarmDaily,
      clock,
    }),
  };
}
