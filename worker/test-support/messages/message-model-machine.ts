import { createServices, type Services } from '../../app/services.ts';
import type { Bindings } from '../../app/env.ts';
import { AppError } from '../../app/errors.ts';
import { listJobs, runDueJobs, runJob } from '../../jobs/every-minute.cron.ts';
import type { Sender } from '../../modules/messages/delivery/sender.ts';
import type { JobName } from '../../modules/running/health/due-times.repository.ts';
import { CHANNELS, type Channel, type OutgoingEvent } from '../../ports/outbox.ts';
import { interceptDatabase } from '../database/intercept-database.ts';
import { testEnv } from '../test-app.ts';
import { NO_LIMITS } from '../test-limits.ts';

/** Jobs without messages, which would take most of the time. */
const OTHER_JOBS =
  /^(?:payments|chain|log|backup|statistics|closes|accounts|attempts|sessions)\.|^calls\.(?:holdings|late)$/;
/** Cloudflare calls a failed alarm again. */
const ALARM_RETRY_MS = 2_000;

class Crashed extends Error {}

interface Process {
  readonly services: Services;
  readonly senders: Readonly<Record<Channel, Sender>>;
  isDead: boolean;
}

export interface MachineOptions {
  readonly storage: DurableObjectStorage;
  /** Responds to a request of the product. Null if it's for the local environment. */
  readonly respond: (url: string, init: RequestInit | undefined) => Promise<Response | null>;
  readonly onCrash: () => void;
  readonly startsAt: number;
}

export type Machine = ReturnType<typeof createMachine>;

/**
 * The product with its four senders on one database and one storage. It dies at a chosen step: just before or after it
 * awaits the database, a sender or a request. Then a new process starts on what was stored.
 */
export function createMachine({ storage, respond, onCrash, startsAt }: MachineOptions) {
  const { fetch } = globalThis;
  let now = startsAt;
  /** The time of the local environment, which has the prices. */
  let environmentNow = startsAt;
  let [steps, crashAt] = [0, Number.POSITIVE_INFINITY];
  const alarms = new Map<Channel, number>();
  /** When the alarm for requests to join fires. */
  let joinsAt = Infinity;
  const clock = {
    now: () => now,
    sleep: async (milliseconds: number) => {
      now += Math.max(0, Math.ceil(milliseconds));
    },
  };

  const step = (process: Process) => {
    if (!process.isDead && (steps += 1) === crashAt) {
      process.isDead = true;
      onCrash();
    }
    if (process.isDead) throw new Crashed('The process is dead');
  };
  const between = async <Result>(process: Process, work: () => Promise<Result>): Promise<Result> => {
    step(process);
    const result = await work();
    step(process);
    return result;
  };

  const syncEnvironment = async () => {
    const ahead = now - environmentNow;
    environmentNow = now;
    if (ahead > 0) await fetch(`${testEnv.TEST_CLOCK_URL}/?advance=${ahead}`);
  };

  /** One Durable Object has the tables of all senders. */
  const storeOf = (process: Process, channel: Channel) => ({
    exec: (text: string, ...params: SqlStorageValue[]) =>
      process.isDead
        ? { toArray: () => [] }
        : storage.sql.exec(text.replaceAll(/\b(?:events|messages|results)/g, `${channel}_$&`), ...params),
  });

  const startProcess = (): Process => {
    const open = (channel: Channel) => {
      const ask = <Result>(work: (sender: Sender) => Promise<Result>) =>
        between(process, () => work(process.senders[channel]));
      return {
        add: (events: readonly OutgoingEvent[]) => ask((sender) => sender.add(structuredClone(events))),
        resend: (ids: readonly string[]) => ask((sender) => sender.resend(ids)),
        wake: () => ask((sender) => sender.wake()),
        listResults: (userId: string) => ask((sender) => sender.listResults(userId)),
      };
    };
    const hub = { callsChanged: async () => undefined, peopleChanged: async () => undefined };
    const env = {
      ...testEnv,
      ...NO_LIMITS,
      DB: interceptDatabase(testEnv.DB, (_query, run) => between(process, run)),
      SENDER: { getByName: open } as unknown as Bindings['SENDER'],
      REBROADCASTER: {
        getByName: () => ({
          wakeAt: async (at: number) => {
            joinsAt = Math.min(joinsAt, at);
          },
        }),
      } as unknown as Bindings['REBROADCASTER'],
      LIVE: { getByName: () => hub } as unknown as Bindings['LIVE'],
    };
    const process = { isDead: false, services: createServices(env, { clock, random: () => 0.5 }) } as Process;
    const openSender = (channel: Channel): Sender =>
      process.services.openSender(channel, {
        sql: storeOf(process, channel) as unknown as SqlStorage,
        async setAlarm(at) {
          if (process.isDead) return;
          if (at === null) alarms.delete(channel);
          else alarms.set(channel, at);
        },
      });
    const senders = Object.fromEntries(CHANNELS.map((channel) => [channel, openSender(channel)]));
    return Object.assign(process, { senders: senders as Process['senders'] });
  };
  let process = startProcess();

  globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const isByTest = url.startsWith(testEnv.TEST_CONTROL_URL) || url.startsWith(testEnv.TEST_CLOCK_URL);
    if (isByTest) return fetch(input, init);
    return between(process, async () => {
      const request =
        input instanceof Request
          ? { headers: input.headers, body: new TextDecoder().decode(await input.clone().arrayBuffer()) }
          : init;
      const response = await respond(url, request);
      if (response !== null) return response;
      await syncEnvironment();
      return fetch(input, init);
    });
  };

  /** Runs work of the product, which may die. Returns null then, or if the product refuses. */
  const run = async <Result>(work: (services: Services) => Promise<Result>): Promise<Result | null> => {
    const result = await work(process.services).catch((error: unknown) => {
      if (process.isDead || error instanceof AppError) return null;
      throw error;
    });
    if (!process.isDead) return result;
    const { senders } = process;
    // Nothing of the dead process may reach the new one.
    await Promise.allSettled(CHANNELS.map((channel) => senders[channel].idle()));
    await new Promise((resolve) => setTimeout(resolve));
    crashAt = Number.POSITIVE_INFINITY;
    process = startProcess();
    return null;
  };

  const fireAlarm = async (channel: Channel) => {
    alarms.delete(channel);
    const { senders } = process;
    let hasEnded = false;
    await run(async () => {
      await senders[channel].run();
      await senders[channel].idle();
      hasEnded = !process.isDead;
    });
    if (!hasEnded && !alarms.has(channel)) alarms.set(channel, now + ALARM_RETRY_MS);
  };

  return {
    clock,
    get services() {
      return process.services;
    },
    get isDead() {
      return process.isDead;
    },
    run,
    /** The product dies after this many further steps. */
    crashAfter(count: number) {
      crashAt = steps + count;
    },
    cancelCrash() {
      crashAt = Number.POSITIVE_INFINITY;
    },
    advance(milliseconds: number) {
      now += milliseconds;
    },
    /** `hasPrices`: prices have changed, so they are fetched, which takes most of the time. */
    runCron: ({ hasPrices }: { hasPrices: boolean }) =>
      run(async (services) => {
        await syncEnvironment();
        const names = (Object.keys(listJobs(services)) as JobName[]).filter(
          (name) => !OTHER_JOBS.test(name) && (hasPrices || name !== 'prices.refresh'),
        );
        await runDueJobs({ services, names, runJob: (due) => runJob(services, due) });
      }),
    /** Fires the senders' alarms until this time. Returns false if none is left. */
    async deliverUntil(until: number): Promise<boolean> {
      for (;;) {
        const [next] = [...alarms].toSorted(([, one], [, other]) => one - other);
        if (next === undefined || next[1] > until) break;
        now = Math.max(now, next[1]);
        await fireAlarm(next[0]);
      }
      now = Math.max(now, until);
      return alarms.size > 0;
    },
    /** Fires the alarm for requests to join until it isn't set anymore. */
    async letIn(): Promise<void> {
      while (joinsAt < Infinity) {
        now = Math.max(now, joinsAt);
        joinsAt = Infinity;
        await run(({ chatAccess }) => chatAccess.checkDue());
      }
    },
    close() {
      globalThis.fetch = fetch;
    },
  };
}
