import { onlineManager } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  checkConnection,
  connectionState,
  onConnectionChange,
  onRecovery,
  reportFailure,
  reportResponse,
  watchConnection,
} from './connection.ts';

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);

let stop = () => {};

/**
 * Watches a connection with a fake clock. Tests change `environment`. `requested` lists the seconds at which
 * the API got a request.
 */
function watch() {
  const environment: { response: 'ok' | 'nothing' | 'hangs'; network: boolean } = {
    response: 'ok',
    network: true,
  };
  const start = Date.now();
  const requested: number[] = [];
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => environment.network);
  vi.stubGlobal('fetch', (_url: string, { signal }: RequestInit) => {
    requested.push((Date.now() - start) / 1_000);
    if (environment.response === 'ok') return Promise.resolve(new Response(null, { status: 401 }));
    if (environment.response === 'nothing') return Promise.reject(new TypeError('Failed to fetch'));
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', reject));
  });
  const states: string[] = [];
  const recovered = vi.fn();
  watchConnection();
  const listeners = [onConnectionChange(() => states.push(connectionState())), onRecovery(recovered)];
  stop = () => {
    for (const remove of listeners) remove();
  };
  return { environment, requested, states, recovered };
}

/** Watches a connection whose API gives this response from now on, and reports a failed request. */
function watchOutage(response: 'nothing' | 'hangs' = 'nothing') {
  const watched = watch();
  watched.environment.response = response;
  reportFailure();
  return watched;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  stop();
});

it('the connection stays ok if the API responds again half a second after a failure', async () => {
  const { states, requested } = watch();
  for (let count = 0; count < 20; count += 1) reportFailure();
  await pass(60);
  expect(states).toEqual([]);
  expect(requested).toEqual([0.5]);
});

it('the connection counts as unreachable within two seconds of a failure, even if the API hangs', async () => {
  const { states } = watchOutage('hangs');
  await pass(1.9);
  expect(states).toEqual(['unreachable']);
  expect(onlineManager.isOnline()).toBe(false);
});

it('the connection is checked at once when the page is shown again, but not while it is hidden', async () => {
  const { environment, states, requested } = watch();
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  environment.response = 'nothing';
  reportFailure();
  await pass(600);
  expect(requested).toEqual([]);
  visibility.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  await pass(2);
  expect(requested).toEqual([600, 601]);
  visibility.mockReturnValue('hidden');
  await pass(600);
  expect(requested).toEqual([600, 601]);
  environment.response = 'ok';
  visibility.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  await pass(60);
  expect(requested).toEqual([600, 601, 1202]);
  expect(states).toEqual(['unreachable', 'ok']);
});

it('the connection is checked again after 1, 2, 4, 8 and then every 15 seconds, until the API responds', async () => {
  const { environment, states, recovered, requested } = watchOutage();
  await pass(40);
  expect(requested).toEqual([0.5, 1.5, 3.5, 7.5, 15.5, 30.5]);
  environment.response = 'ok';
  await pass(60);
  expect(requested).toEqual([0.5, 1.5, 3.5, 7.5, 15.5, 30.5, 45.5]);
  expect(states).toEqual(['unreachable', 'ok']);
  expect(recovered).toHaveBeenCalledOnce();
});

it('the pauses between connection checks are short again in the next outage', async () => {
  const { environment, requested } = watch();
  for (const _ of [1, 2]) {
    environment.response = 'nothing';
    reportFailure();
    await pass(2);
    environment.response = 'ok';
    await pass(60);
  }
  expect(requested).toEqual([0.5, 1.5, 3.5, 62.5, 63.5, 65.5]);
});

it('the connection is offline without a network and ok when the network is back', async () => {
  const { environment, states } = watch();
  Object.assign(environment, { response: 'nothing', network: false });
  window.dispatchEvent(new Event('offline'));
  await pass(3);
  expect(states.at(-1)).toBe('offline');
  Object.assign(environment, { response: 'ok', network: true });
  window.dispatchEvent(new Event('online'));
  await pass(0);
  expect(states.at(-1)).toBe('ok');
});

it('the connection is ok if the API responds, even if the browser reports no network', async () => {
  const { environment, states } = watch();
  environment.network = false;
  reportFailure();
  await pass(60);
  expect(states).toEqual([]);
});

it('the connection is checked at once when a request succeeds during an outage', async () => {
  const { environment, states } = watchOutage();
  await pass(8);
  environment.response = 'ok';
  reportResponse();
  await pass(0);
  expect(states).toEqual(['unreachable', 'ok']);
});

it('the connection stays ok when an old check times out after a newer check succeeded', async () => {
  const { environment, states } = watchOutage('hangs');
  await pass(2.6);
  environment.response = 'ok';
  expect(await checkConnection()).toBe(true);
  await pass(10);
  expect(states).toEqual(['unreachable', 'ok']);
});

it('the connection is no longer checked after its last listener was removed', async () => {
  const { requested } = watchOutage();
  await pass(1);
  stop();
  await pass(60);
  expect(requested).toEqual([0.5]);
});
