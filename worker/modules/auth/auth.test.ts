import { describe, expect, it } from 'vitest';
import { createTestApp } from '../../test-support/test-app.ts';

describe('sign-in', () => {
  it('opens a session for the person X names', async () => {
    const app = await createTestApp();
    const person = await app.signIn('amara_calls');
    const user = await (await person.get('/api/auth/user')).json<{ twitterHandle: string; isCaller: boolean }>();
    expect(user).toMatchObject({ twitterHandle: 'amara_calls', isCaller: false });
  });
});
