import { expect, it } from 'vitest';
import { readTokenReference } from './token-link.ts';

const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';
const PUMP = '8cHzQHUS2s2h8TzCmfqPKYiM4dSt4roa3n7MyRLApump';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const SOL = 'So11111111111111111111111111111111111111112';

it.each([
  [WIF, WIF],
  [`  ${PUMP}\n`, PUMP],
  [`https://pump.fun/coin/${PUMP}`, PUMP],
  [`https://pump.fun/${PUMP}`, PUMP],
  [`https://www.pump.fun/coin/${PUMP}?include-nsfw=true`, PUMP],
  [`pump.fun/coin/${PUMP}`, PUMP],
  [`https://jup.ag/tokens/${WIF}`, WIF],
  [`https://jup.ag/swap/SOL-${WIF}`, WIF],
  [`https://jup.ag/swap/${WIF}-SOL`, WIF],
  [`https://jup.ag/swap/USDC-SEETHE_${PUMP}`, PUMP],
  [`https://jup.ag/swap/${USDC}-${WIF}?inAmount=5`, WIF],
  [`https://jup.ag/swap/${WIF}-${USDC}`, WIF],
  [`https://jup.ag/swap?sell=${SOL}&buy=${WIF}`, WIF],
  [`https://jup.ag/?sell=${WIF}&buy=${SOL}`, WIF],
  [`https://jup.ag/swap?inputMint=${USDC}&outputMint=${PUMP}`, PUMP],
  [`https://jup.ag/swap/SOL-${USDC}`, USDC],
  [`HTTPS://JUP.AG/tokens/${WIF}`, WIF],
])('readTokenReference reads %j as the mint %s', (text, mint) => {
  expect(readTokenReference(text)).toEqual({ mint });
});

it.each([
  'https://dexscreener.com/solana/9ng9pmgs2laqjou7spuzyi21qummwcgrnmymmbej8wbz',
  'https://dexscreener.com/solana/58oQChx4yWmvKdwLLZzBi4ChoCc2fqCUWBkwMihLYQo2?embed=1&theme=dark',
  'dexscreener.com/solana/58oQChx4yWmvKdwLLZzBi4ChoCc2fqCUWBkwMihLYQo2/',
])('readTokenReference reads the pool of %s', (link) => {
  const [, pool = ''] = /solana\/(\w+)/.exec(link) ?? [];
  expect(readTokenReference(link)).toEqual({ pool });
});

it.each([
  '',
  'wif',
  '$WIF',
  'hello there',
  `buy ${WIF}`,
  'https://jup.ag/swap/SOL-BONK',
  'https://pump.fun/board',
  'https://dexscreener.com/ethereum/0x6982508145454ce325ddbe47a25d4ec3d2311933',
  'https://dexscreener.com/solana',
  `https://jup.ag.example.com/tokens/${WIF}`,
  `https://example.com/?to=https://jup.ag/tokens/${WIF}`,
  `javascript:alert(1)//jup.ag/${WIF}`,
  `https://jup.ag/tokens/${WIF}${'x'.repeat(500)}`,
  'http://[',
])('readTokenReference reads nothing from %j', (text) => {
  expect(readTokenReference(text)).toBeNull();
});
