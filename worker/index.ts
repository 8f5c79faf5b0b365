import { systemClock } from './adapters/system-clock.ts';
import { createApp } from './app/app.ts';
import type { Bindings } from './app/env.ts';
import { servicesOf } from './app/services.ts';
import { runEveryMinute } from './jobs/every-minute.cron.ts';

export { MessageSender } from './jobs/message-sender.ts';
export { Rebroadcaster } from './jobs/rebroadcaster.ts';

const app = createApp();

export default {
  fetch: app.fetch,
  scheduled: (_controller, env) => runEveryMinute({ services: servicesOf(env), clock: systemClock }),
} satisfies ExportedHandler<Bindings>;
