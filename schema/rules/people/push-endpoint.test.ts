import { expect, it } from 'vitest';
import { isPushEndpoint } from './push-endpoint.ts';

const SERVICES = ['https://fcm.googleapis.com', 'https://*.push.apple.com'];

it.each(['https://fcm.googleapis.com/fcm/send/a:b', 'https://web.push.apple.com/QX'])(
  'the address of a known push service is accepted: %s',
  (endpoint) => expect(isPushEndpoint(endpoint, SERVICES)).toBe(true),
);

it.each([
  'http://fcm.googleapis.com/x',
  'https://fcm.googleapis.com:8443/x',
  'https://fcm.googleapis.com.evil.example/x',
  'https://evil.example/fcm.googleapis.com',
  'https://user@fcm.googleapis.com/x',
  'https://push.apple.com/x',
  'https://.push.apple.com/x',
  'https://evilpush.apple.com/x',
  'http://web.push.apple.com/x',
  'https://web.push.apple.com:444/x',
  'https://127.0.0.1/x',
  'https://[::1]/x',
  'https://fcm.googleapis.com/x#y',
  'https://fcm.googleapis.com/x#',
  'https://FCM.googleapis.com/x',
  'https://fcm.googleapis.com:443/x',
  'https://fcm.googleapis.com\\x',
  'https://fcm.googleapis.com/a/../x',
  ' https://fcm.googleapis.com/x',
  'nonsense',
  '',
])('a push address is refused unless it is a plain https URL at a known push service: %j', (endpoint) =>
  expect(isPushEndpoint(endpoint, SERVICES)).toBe(false),
);
