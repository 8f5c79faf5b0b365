import type { PushDeviceBody, PushSettings } from '#schema/contracts/push.ts';
import { isPushEndpoint } from '#schema/rules/people/push-endpoint.ts';
import type { Base } from '../../../app/base.ts';
import { AppError } from '../../../app/errors.ts';
import type { Messenger } from '../../../ports/messenger.ts';
import { fromBase64Url } from '../../../shared/base64.ts';
import { createPushRepository } from './push.repository.ts';

interface PushOptions extends Pick<Base, 'db' | 'vars' | 'clock'> {
  readonly vapid: { publicKey(): Promise<string> };
  readonly messenger: Pick<Messenger, 'send'>;
}

export interface PushSession {
  readonly userId: string;
  readonly sessionId: string;
}

export function createPushService({ db, vapid, vars, messenger, clock }: PushOptions) {
  const repository = createPushRepository(db);
  const read = async ({ userId, sessionId }: PushSession): Promise<PushSettings> => {
    const [publicKey, devices] = await Promise.all([vapid.publicKey(), repository.listOfUser(userId)]);
    const own = devices.find(({ sessionHash }) => sessionHash === sessionId);
    return { publicKey, endpoint: own?.endpoint ?? null };
  };

  return {
    read,

    /** @throws push.service_unknown, push.address_taken, request.invalid */
    async save(session: PushSession, { endpoint, keys }: PushDeviceBody): Promise<PushSettings> {
      if (!isPushEndpoint(endpoint, vars.PUSH_SERVICES)) {
        const message = 'Notifications of this browser aren’t supported. Use Telegram, or another browser.';
        throw new AppError({ code: 'push.service_unknown', message });
      }
      if (!(await isPushKey(keys.p256dh))) {
        const message = 'keys.p256dh: This is not a point on the curve P-256.';
        throw new AppError({ code: 'request.invalid', message });
      }
      const { userId, sessionId: sessionHash } = session;
      const device = { sessionHash, userId, endpoint, ...keys, createdAt: clock.now() };
      if (!(await repository.save(device))) {
        const message =
          'Another account gets this browser’s notifications. Turn them off there, then try again.';
        throw new AppError({ code: 'push.address_taken', message });
      }
      return read(session);
    },

    /** Sends a text to the browsers of these people on X. Null if none has notifications on. */
    async notify(xUserIds: readonly string[], text: string) {
      const devices = await repository.listOfXUsers(xUserIds);
      if (devices.length === 0) return null;
      const buttons = [{ text: 'Open', url: `${vars.APP_ORIGIN}/operators` }];
      return messenger.send({ chatId: JSON.stringify(devices), text, buttons });
    },

    async remove(session: PushSession): Promise<PushSettings> {
      await repository.remove(session.sessionId);
      return read(session);
    },
  };
}

/** True if messages can be encrypted for the key, a point on P-256 in base64url. */
async function isPushKey(p256dh: string): Promise<boolean> {
  const algorithm = { name: 'ECDH', namedCurve: 'P-256' };
  try {
    const point = fromBase64Url(p256dh);
    await crypto.subtle.importKey('raw', point, algorithm, false, []);
    return true;
  } catch {
    return false;
  }
}
