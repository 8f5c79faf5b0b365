import './app/all-tables.ts';
import { createApp } from './app/app.ts';
import type { Bindings } from './app/env.ts';
import { servicesOf } from './app/services.ts';
import { runEveryMinute } from './jobs/every-minute.cron.ts';

export { CronWatch } from './durable-objects/cron-watch.ts';
export { LiveHub } from './durable-objects/live-hub.ts';
export { MessageSender } from './durable-objects/message-sender.ts';
export { Rebroadcaster } from './durable-objects/rebroadcaster.ts';

const app = createApp({ servicesFor: servicesOf });

export default {
  fetch: app.fetch,
  scheduled: ({ scheduledTime }, env) => {
    const services = servicesOf(env);
    return runEveryMinute({ services, runJob: services.cronWatch.runJob, scheduledAt: scheduledTime });
  },
} satisfies ExportedHandler<Bindings>;
