import type { Bindings } from '../app/env.ts';

let test = 0;

/** Gives the next test new, empty Durable Objects. Emptying the used objects would take a full reset. */
export function renewDurableObjects(): void {
  test += 1;
}

/** Wraps the namespace so that each test gets its own Durable Objects. */
export function objectsOfTest<Namespace extends Bindings['SENDER'] | Bindings['LIVE']>(
  namespace: Namespace,
): Namespace {
  return {
    getByName: (name: string) => namespace.getByName(`${name} of test ${test}`),
  } as unknown as Namespace;
}
