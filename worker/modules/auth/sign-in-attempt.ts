import { generateCodeVerifier, generateState } from 'arctic';

/** What the browser keeps between leaving for X and coming back. */
export interface SignInAttempt {
  readonly state: string;
  readonly codeVerifier: string;
}

export function createSignInAttempt(): SignInAttempt {
  return { state: generateState(), codeVerifier: generateCodeVerifier() };
}
