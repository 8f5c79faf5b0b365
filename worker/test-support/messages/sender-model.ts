import { runInDurableObject } from 'cloudflare:test';
import type { Bindings } from '../../app/env.ts';
import { createServices, type Services } from '../../app/services.ts';
import type { Sender } from '../../modules/messages/delivery/sender.ts';
import type { Channel, OutgoingEvent } from '../../ports/outbox.ts';
import { interceptDatabase } from '../database/intercept-database.ts';
import { testEnv } from '../test-app.ts';
import { createVirtualClock, type VirtualClock } from '../virtual-clock.ts';

const DATABASE_LATENCY_MS = 8;

export interface SenderModelOptions {
  readonly startsAt: number;
  /** For each number n, the process dies just before it records its n-th outcome. */
  readonly deathsAfter?: readonly number[];
}

export interface SenderModel {
  readonly clock: VirtualClock;
  readonly services: Services;
  /** Chats whose message was sent but could not be recorded because the process died. */
  readonly unrecorded: ReadonlySet<string>;
  readonly figures: { readonly deaths: number; readonly mostQueriesOfRun: number };
  /** Sends until no message waits or `isOver` returns true. Call it within `clock.run`. */
  send(isOver?: () => boolean): Promise<void>;
  /** The same for posts in channels and groups. */
  post(): Promise<void>;
}

/**
 * Runs the real sender in a Durable Object in virtual time. Its process dies and restarts according to `deathsAfter`.
 */
export function withSenderModel<Result>(
  { startsAt, deathsAfter = [] }: SenderModelOptions,
  work: (model: SenderModel) => Promise<Result>,
): Promise<Result> {
  return runInDurableObject(testEnv.SENDER.getByName('telegram'), (_, { storage }) => {
    const clock = createVirtualClock(startsAt);
    const unrecorded = new Set<string>();
    const figures = { deaths: 0, mostQueriesOfRun: 0 };
    let queriesOfRun = 0;
    const alarm: { at: number | null } = { at: null };
    const postAlarm: { at: number | null } = { at: null };
    let outcomes = 0;

    /** One Durable Object has the tables of both senders. */
    const execInOtherTables = (text: string, ...params: SqlStorageValue[]) =>
      storage.sql.exec(text.replaceAll(/\b(?:events|messages|results)/g, 'post_$&'), ...params);

    /** Starts a process. A dead one gets no more responses, and its writes are dropped. */
    const startProcess = () => {
      let isDead = false;
      const never = () => new Promise<never>(() => undefined);
      const { promise: died, resolve: die } = Promise.withResolvers<void>();
      const exec = (text: string, ...params: SqlStorageValue[]) => {
        if (text.startsWith('UPDATE messages SET outcome')) {
          outcomes += isDead ? 0 : 1;
          if (!isDead && deathsAfter.includes(outcomes)) {
            isDead = true;
            figures.deaths += 1;
            die();
          }
          if (isDead) unrecorded.add(String(params[2]).replace(/^.*-/, ''));
        }
        return isDead ? { toArray: () => [] } : storage.sql.exec(text, ...params);
      };
      const DB = interceptDatabase(testEnv.DB, async (_query, run) => {
        if (isDead) await never();
        queriesOfRun += 1;
        const result = await clock.during(run);
        await clock.sleep(DATABASE_LATENCY_MS);
        return result;
      });
      const outbox = {
        add: (events: readonly OutgoingEvent[]) => process.sender.add(events),
        resend: (ids: readonly string[]) => process.sender.resend(ids),
        wake: () => process.sender.wake(),
      };
      const posts = {
        ...outbox,
        add: (events: readonly OutgoingEvent[]) => process.poster.add(events),
      };
      const silent = { add: async () => undefined, resend: async () => undefined, wake: async () => 0 };
      const outboxes = { telegram: outbox, chat: posts, push: silent, webhook: silent };
      const env = {
        ...testEnv,
        DB,
        SENDER: { getByName: (channel: Channel) => outboxes[channel] } as unknown as Bindings['SENDER'],
      };
      const services = createServices(env, {
        clock: { now: clock.now, sleep: (ms) => (isDead ? never() : clock.sleep(ms)) },
        random: () => 0.5,
      });
      const setAlarm = async (at: number | null) => {
        if (!isDead) alarm.at = at;
      };
      const sender: Sender = services.openSender('telegram', {
        sql: { exec } as unknown as SqlStorage,
        setAlarm,
      });
      const poster = services.openSender('chat', {
        sql: { exec: execInOtherTables } as unknown as SqlStorage,
        setAlarm: async (at) => void (postAlarm.at = at),
      });
      return { services, sender, poster, died };
    };
    let process = startProcess();

    const ring = async (isOver: () => boolean) => {
      while (alarm.at !== null && !isOver()) {
        if (alarm.at > clock.now()) await clock.sleep(alarm.at - clock.now());
        const deathsBefore = figures.deaths;
        queriesOfRun = 0;
        await Promise.race([process.sender.run(), process.died]);
        figures.mostQueriesOfRun = Math.max(figures.mostQueriesOfRun, queriesOfRun);
        if (figures.deaths > deathsBefore) process = startProcess();
      }
    };
    return work({
      clock,
      get services() {
        return process.services;
      },
      unrecorded,
      figures,
      send: (isOver = () => false) => ring(isOver),
      async post() {
        while (postAlarm.at !== null) {
          if (postAlarm.at > clock.now()) await clock.sleep(postAlarm.at - clock.now());
          await process.poster.run();
        }
      },
    });
  });
}
