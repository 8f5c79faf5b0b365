-- compatible: trigger calls_add_active_mint: it adds the same mints.
-- compatible: trigger calls_remove_active_mint: the running version refreshes prices of some more mints.
-- compatible: trigger price_marks_no_replace: the running version does not use the table.
CREATE TABLE `follower_returns` (
	`caller_id` text NOT NULL,
	`return_ppm` integer NOT NULL,
	`call_id` text NOT NULL,
	PRIMARY KEY(`caller_id`, `return_ppm`, `call_id`),
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`call_id`) REFERENCES `calls`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `price_marks` (
	`call_id` text NOT NULL,
	`side` text NOT NULL,
	`delay_minutes` integer NOT NULL,
	`price` text NOT NULL,
	`liquidity_usd` real,
	`source` text NOT NULL,
	`seen_at` integer NOT NULL,
	`age_ms` integer NOT NULL,
	PRIMARY KEY(`call_id`, `side`, `delay_minutes`),
	FOREIGN KEY (`call_id`) REFERENCES `calls`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `callers` ADD `follower_calls` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `callers` ADD `follower_wins` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `callers` ADD `follower_middle_ppm` integer;--> statement-breakpoint
ALTER TABLE `callers` ADD `follower_middle_call` text;--> statement-breakpoint
ALTER TABLE `callers` ADD `follower_return` real DEFAULT -100 NOT NULL;--> statement-breakpoint
ALTER TABLE `callers` ADD `has_follower_record` integer GENERATED ALWAYS AS (follower_calls >= 5) VIRTUAL;--> statement-breakpoint
CREATE INDEX `callers_by_fee_level_and_follower_return` ON `callers` (`fee_level`,`has_follower_record`,`follower_return`,`caller_id`);--> statement-breakpoint
CREATE INDEX `verified_callers_by_follower_return` ON `callers` (`fee_level`,`has_follower_record`,`follower_return`,`caller_id`) WHERE is_verified = 1;--> statement-breakpoint
ALTER TABLE `active_mints` ADD `idle_since` integer;--> statement-breakpoint
CREATE INDEX `active_mints_idle` ON `active_mints` (`idle_since`) WHERE idle_since IS NOT NULL;--> statement-breakpoint
CREATE INDEX `calls_by_opening` ON `calls` (`called_at`,`id`);--> statement-breakpoint
DROP TRIGGER calls_add_active_mint;--> statement-breakpoint
CREATE TRIGGER calls_add_active_mint AFTER INSERT ON calls WHEN NEW.ended_at IS NULL
BEGIN
  INSERT INTO active_mints (mint) VALUES (NEW.token_mint)
  ON CONFLICT (mint) DO UPDATE SET idle_since = NULL WHERE idle_since IS NOT NULL;
END;
--> statement-breakpoint
DROP TRIGGER calls_remove_active_mint;--> statement-breakpoint
-- The price refresh deletes the mint an hour later.
CREATE TRIGGER calls_remove_active_mint AFTER UPDATE OF ended_at ON calls WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
BEGIN
  UPDATE active_mints SET idle_since = NEW.ended_at
  WHERE mint = NEW.token_mint AND NOT EXISTS (SELECT 1 FROM calls WHERE token_mint = NEW.token_mint AND ended_at IS NULL);
END;
--> statement-breakpoint
-- The first mark stays: a second one is ignored, even with INSERT OR REPLACE.
CREATE TRIGGER price_marks_no_replace BEFORE INSERT ON price_marks
WHEN EXISTS (SELECT 1 FROM price_marks WHERE call_id = NEW.call_id AND side = NEW.side AND delay_minutes = NEW.delay_minutes)
BEGIN SELECT RAISE(IGNORE); END;
--> statement-breakpoint
CREATE TRIGGER price_marks_no_update BEFORE UPDATE ON price_marks
BEGIN SELECT RAISE(ABORT, 'marks are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER price_marks_no_delete BEFORE DELETE ON price_marks
BEGIN SELECT RAISE(ABORT, 'marks are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER follower_returns_no_update BEFORE UPDATE ON follower_returns
BEGIN SELECT RAISE(ABORT, 'follower returns are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER follower_returns_no_delete BEFORE DELETE ON follower_returns
BEGIN SELECT RAISE(ABORT, 'follower returns are never deleted'); END;
--> statement-breakpoint
-- Counts an ended ranked call once both of its one-minute marks exist: followerReturnPpm and countedReturnPpm of
-- schema/rules/follower-return.ts in SQL, for 1,000 USD.
CREATE TRIGGER price_marks_count AFTER INSERT ON price_marks WHEN NEW.delay_minutes = 1
BEGIN
  INSERT INTO follower_returns (caller_id, return_ppm, call_id)
  SELECT caller_id, CAST(MIN(FLOOR((worth / (1 + worth / (liquidity_usd / 2)) / 1000 - 1) * 1e6 + 0.5), FLOOR(counted_change * 1e4 + 0.5)) AS INTEGER), id
  FROM (
    SELECT k.caller_id, k.id, k.counted_change, e.liquidity_usd,
      1000 * 0.997 / (CAST(o.price AS REAL) * (1 + 1000 * 0.997 / (o.liquidity_usd / 2))) * 0.997 * CAST(e.price AS REAL) AS worth
    FROM calls k
    JOIN price_marks o ON o.call_id = k.id AND o.side = 'open' AND o.delay_minutes = 1
    JOIN price_marks e ON e.call_id = k.id AND e.side = 'end' AND e.delay_minutes = 1
    WHERE k.id = NEW.call_id AND k.counted_change IS NOT NULL AND o.liquidity_usd > 0 AND e.liquidity_usd > 0);
END;
--> statement-breakpoint
-- Moves the pointer to the middle row by at most one row, and computes the median from it.
CREATE TRIGGER follower_returns_count AFTER INSERT ON follower_returns
BEGIN
  UPDATE callers SET (follower_middle_ppm, follower_middle_call) = (SELECT NEW.return_ppm, NEW.call_id)
  WHERE caller_id = NEW.caller_id AND follower_calls = 0;
  UPDATE callers SET (follower_middle_ppm, follower_middle_call) = (
    SELECT return_ppm, call_id FROM follower_returns
    WHERE caller_id = NEW.caller_id AND (return_ppm, call_id) > (callers.follower_middle_ppm, callers.follower_middle_call)
    ORDER BY return_ppm, call_id
    LIMIT 1)
  WHERE caller_id = NEW.caller_id AND follower_calls > 0 AND follower_calls % 2 = 0
    AND (NEW.return_ppm, NEW.call_id) > (follower_middle_ppm, follower_middle_call);
  UPDATE callers SET (follower_middle_ppm, follower_middle_call) = (
    SELECT return_ppm, call_id FROM follower_returns
    WHERE caller_id = NEW.caller_id AND (return_ppm, call_id) < (callers.follower_middle_ppm, callers.follower_middle_call)
    ORDER BY return_ppm DESC, call_id DESC
    LIMIT 1)
  WHERE caller_id = NEW.caller_id AND follower_calls % 2 = 1
    AND (NEW.return_ppm, NEW.call_id) < (follower_middle_ppm, follower_middle_call);
  UPDATE callers SET
    follower_calls = follower_calls + 1,
    follower_wins = follower_wins + (NEW.return_ppm > 0),
    follower_return = (follower_middle_ppm + iif(follower_calls % 2 = 0, follower_middle_ppm, (
      SELECT return_ppm FROM follower_returns
      WHERE caller_id = NEW.caller_id AND (return_ppm, call_id) > (callers.follower_middle_ppm, callers.follower_middle_call)
      ORDER BY return_ppm, call_id
      LIMIT 1))) / 20000.0
  WHERE caller_id = NEW.caller_id;
END;
