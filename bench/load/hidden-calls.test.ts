import { beforeEach, expect, it } from 'vitest';
import { createId } from '#worker/shared/ids.ts';
import { createHiddenCalls } from './hidden-calls.ts';

const ID = createId();
const reply = { status: 200, headers: new Headers(), code: undefined };
let violations: string[];
beforeEach(() => void (violations = []));

function watch({ isFree = false } = {}) {
  const hidden = createHiddenCalls((violation) => violations.push(violation));
  const call = hidden.add({ callerId: 'caller', isFree });
  hidden.opened(call, ID);
  const show = (id?: string, path = '/api/callers') =>
    hidden.inspect(
      { kind: 'any', path, viewer: { address: '198.18.0.1', ...(id === undefined ? {} : { id }) } },
      { ...reply, text: `a list with ${ID} and ${call.word}` },
    );
  return { hidden, call, show };
}

it('the load test reports a hidden call in a response or message to somebody without access', () => {
  const { show, hidden, call } = watch();
  show();
  show('stranger');
  hidden.inspectMessage(`An update: ${call.word}`, 'stranger');
  hidden.inspectMessage(`/call/${ID}`, 'stranger');
  expect(violations).toHaveLength(4);
});

it('a hidden call may be in responses to its caller and subscribers, and to everybody after its end', () => {
  const { show, hidden, call } = watch();
  hidden.allow('subscriber', 'caller');
  for (const viewer of ['caller', 'subscriber']) show(viewer);
  call.mayBePublic = true;
  show();
  expect(violations).toEqual([]);
});

it('a hidden call of a Free caller may be in responses to signed-in users, but not to visitors', () => {
  const { show } = watch({ isFree: true });
  show('stranger');
  expect(violations).toEqual([]);
  show();
  expect(violations).toHaveLength(1);
});
