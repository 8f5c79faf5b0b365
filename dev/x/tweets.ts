import { z } from 'zod';
import { openStoredJson } from '../controls/stored-json.ts';

const storedTweet = z.object({
  id: z.string(),
  text: z.string(),
  xUserId: z.string(),
  handle: z.string(),
  mediaIds: z.array(z.string()),
  createdAt: z.string(),
});
const storedTweets = z.array(storedTweet);

export type Tweet = z.infer<typeof storedTweet>;

export interface Tweets {
  post(tweet: { text: string; xUserId: string; handle: string; mediaIds: readonly string[] }): Tweet;
  find(id: string): Tweet | undefined;
  list(): readonly Tweet[];
}

const FIRST_TWEET_ID = 1_980_000_000_000_000_000n;

export function openTweets({ file, now }: { file: string; now: () => number }): Tweets {
  const stored = openStoredJson<Tweet[]>({ file, schema: storedTweets, initial: [] });
  return {
    post({ text, xUserId, handle, mediaIds }) {
      const id = String(FIRST_TWEET_ID + BigInt(stored.value.length));
      const tweet = {
        id,
        text,
        xUserId,
        handle,
        mediaIds: [...mediaIds],
        createdAt: new Date(now()).toISOString(),
      };
      stored.value.push(tweet);
      stored.save();
      return tweet;
    },
    find: (id) => stored.value.find((tweet) => tweet.id === id),
    list: () => stored.value,
  };
}
