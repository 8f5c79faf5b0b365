import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestEnvironment, type LooseJson, type TestEnvironment } from './controls/test-environment.ts';
import { portraitPng } from './x/portrait.ts';
import { signIn } from './x/test-sign-in.ts';

// The members that the services document, as of the dates in ../STAND-INS.md. A star marks those always present.
const SHAPES = {
  xUser:
    'id* name* username* confirmed_email created_at description profile_image_url protected verified verified_type',
  xTweet: 'id* text* edit_history_tweet_ids',
  xMedia: 'id* media_key* expires_after_secs processing_info size',
  jupiterToken:
    'id* decimals* updatedAt* name symbol icon twitter telegram website dev ' +
    'circSupply totalSupply tokenProgram launchpad partnerConfig graduatedPool graduatedAt holderCount fdv mcap ' +
    'usdPrice priceBlockId liquidity stats5m stats1h stats6h stats24h firstPool audit organicScore ' +
    'organicScoreLabel isVerified cexes tags ctLikes smartCtLikes scaledUiConfig',
  jupiterStats:
    'priceChange liquidityChange volumeChange buyVolume sellVolume buyOrganicVolume ' +
    'sellOrganicVolume numBuys numSells numTraders numOrganicBuyers numNetBuyers',
  jupiterAudit:
    'isSus mintAuthorityDisabled freezeAuthorityDisabled topHoldersPercentage devBalancePercentage devMints',
  jupiterPrice: 'usdPrice* blockId* decimals* createdAt liquidity priceChange24h scaledUiConfig',
  dexScreenerPair:
    'chainId* dexId* pairAddress* baseToken* quoteToken* url labels priceNative priceUsd txns volume priceChange ' +
    'liquidity fdv marketCap pairCreatedAt info boosts',
} as const;

const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
let environment: TestEnvironment;
let authorization: string;
beforeAll(async () => {
  environment = await startTestEnvironment();
  authorization = `Bearer ${(await signIn(environment, { loginAs: 'amara_calls' })).accessToken()}`;
});
afterAll(() => environment.end());

const read = async (path: string, json?: unknown): Promise<LooseJson> =>
  (await environment.request(path, { headers: { authorization }, json })).body;
const findToken = async () => (await read(`/jupiter/tokens/v2/search?query=${BONK}`))[0];
const upload = async () => ({
  media: Buffer.from(await portraitPng({ name: 'a picture', size: 16 })).toString('base64'),
  media_category: 'tweet_image',
});

test.each<[keyof typeof SHAPES, () => Promise<LooseJson>]>([
  [
    'xUser',
    async () => (await read('/x/2/users/me?user.fields=profile_image_url,confirmed_email,verified')).data,
  ],
  ['xTweet', async () => (await read('/x/2/tweets', { text: 'hello' })).data],
  ['xMedia', async () => (await read('/x/2/media/upload', await upload())).data],
  ['jupiterToken', findToken],
  ['jupiterStats', async () => (await findToken()).stats24h],
  ['jupiterAudit', async () => (await findToken()).audit],
  ['jupiterPrice', async () => (await read(`/jupiter/price/v3?ids=${BONK}`))[BONK]],
  ['dexScreenerPair', async () => (await read(`/dexscreener/tokens/v1/solana/${BONK}`))[0]],
])(
  'the stand-in’s %s has only documented members, and those that are always present',
  async (name, respond) => {
    const members = SHAPES[name].split(' ');
    const sent = Object.keys(await respond());
    expect(members.map((each) => each.replace('*', ''))).toEqual(expect.arrayContaining(sent));
    expect(sent).toEqual(
      expect.arrayContaining(members.filter((each) => each.endsWith('*')).map((each) => each.slice(0, -1))),
    );
  },
);

test.each<[refused: string, path: string, body: object]>([
  ['an unknown field of a post', '/x/2/tweets', { text: 'hello', status: 'hello' }],
  ['an unknown field of its media', '/x/2/tweets', { text: 'hello', media: { media_ids: ['1'], alt: 'x' } }],
  ['a media id that isn’t a number', '/x/2/tweets', { media: { media_ids: ['picture'] } }],
  [
    'an unknown field of an upload',
    '/x/2/media/upload',
    { media: 'AAAA', media_category: 'tweet_image', name: 'x' },
  ],
])('the local X refuses %s, as its schema does', async (_refused, path, json) => {
  const { status } = await environment.request(path, { headers: { authorization }, json });
  expect(status).toBe(400);
});
