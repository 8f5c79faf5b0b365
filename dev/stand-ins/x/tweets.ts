import { z } from 'zod';
import { openStoredJson } from '../controls/stored-json.ts';

const storedTweet = z.object({
  id: z.string(),
  text: z.string(),
  xUserId: z.string(),
  handle: z.string(),
  mediaIds: z.array(z.string()),
  createdAt: z.string(),
  /** The API's charge for the post, in US dollars. A post by hand is free. */
  costUsd: z.number().default(0),
});
const storedTweets = z.array(storedTweet);

export type Tweet = z.infer<typeof storedTweet>;

const FIRST_TWEET_ID = 1_980_000_000_000_000_000n;

export type Tweets = ReturnType<typeof openTweets>;

export function openTweets({ file, now }: { file: string; now: () => number }) {
  const stored = openStoredJson<Tweet[]>({ file, schema: storedTweets, initial: [] });
  return {
    post(posted: Omit<Tweet, 'id' | 'createdAt'>): Tweet {
      const id = String(FIRST_TWEET_ID + BigInt(stored.value.length));
      const tweet = { ...posted, id, createdAt: new Date(now()).toISOString() };
      stored.value.push(tweet);
      stored.save();
      return tweet;
    },
    find: (id: string) => stored.value.find((tweet) => tweet.id === id),
    list: () => stored.value,
  };
}
