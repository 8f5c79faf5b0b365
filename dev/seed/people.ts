import { ed25519 } from '@noble/curves/ed25519';
import type { Keypair } from '@solana/web3.js';
import { DOCUMENT_VERSIONS } from '#schema/constants/people.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import type { Services } from '#worker/app/services.ts';
import { localOperator } from '../local/local-operator.ts';
import type { Member, SeededCaller } from './fixtures.ts';

const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

export type People = ReturnType<typeof createPeople>;

/** The sample people's actions on their accounts. */
export function createPeople({ services }: { services: Services }) {
  const ids = new Map<number, string>();

  const idOf = ({ index }: Pick<Member, 'index'>): string => {
    const id = ids.get(index);
    if (id === undefined) throw new Error(`Person ${index} hasn't joined yet`);
    return id;
  };

  const proveWallet = async (userId: string, wallet: Keypair) => {
    const walletAddress = wallet.publicKey.toBase58();
    const { message } = await services.wallets.challenge({ userId, walletAddress });
    const signature = ed25519.sign(Buffer.from(message), wallet.secretKey.subarray(0, 32));
    await services.wallets.save({
      userId,
      walletAddress,
      signedInAt: services.clock.now(),
      signature: Buffer.from(signature).toString('base64'),
    });
  };

  return {
    idOf,

    /** Signs in with X for the first time, and accepts the terms. */
    async join({ index, person: { handle } }: Member): Promise<void> {
      const { url, attempt } = services.auth.startSignIn();
      url.searchParams.set('login_as', handle);
      const response = await fetch(url, { redirect: 'manual' });
      const callback = new URL(response.headers.get('Location') ?? '');
      const { sessionToken } = await services.auth.finishSignIn({
        code: callback.searchParams.get('code') ?? '',
        codeVerifier: attempt.codeVerifier,
        browser: { sessionToken: undefined, deviceToken: undefined, userAgent: USER_AGENT },
      });
      const session = await services.auth.authenticate(sessionToken);
      if (!session) throw new Error(`@${handle} couldn't sign in`);
      ids.set(index, session.userId);
      await services.terms.accept({ userId: session.userId, seen: DOCUMENT_VERSIONS });
    },

    async changeFee(caller: SeededCaller): Promise<void> {
      const monthlyFee = formatSol(caller.feeLamports);
      await services.users.updateCallerProfile({
        userId: idOf(caller),
        signedInAt: services.clock.now(),
        monthlyFee,
      });
    },

    async becomeCaller(caller: SeededCaller): Promise<void> {
      const userId = idOf(caller);
      const { firstFeeLamports: feeLamports, payout, person } = caller;
      if (payout !== null) await proveWallet(userId, payout);
      await services.users.becomeCaller({
        userId,
        subscriptionPrice: feeLamports === 0n ? '' : formatSol(feeLamports),
      });
      if (person.bio !== undefined) await services.users.updateBio({ userId, bio: person.bio });
      if (!caller.isVerified) return;
      await services.operators.act(
        { xId: localOperator.xUserId, signedInAt: null },
        { action: 'verify', subjectId: userId, reason: 'Sample data: an account with a record elsewhere.' },
      );
    },
  };
}
