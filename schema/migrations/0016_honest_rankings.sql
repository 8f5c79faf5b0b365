CREATE TABLE `unpriced_mints` (
	`mint` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `unpriced_mints_by_time` ON `unpriced_mints` (`since`,`mint`);--> statement-breakpoint
-- SQLite cannot change a CHECK constraint, so calls is created again. Rows that refer to a call are checked at the
-- end of the transaction, after the calls are back. Dropping the table drops its triggers: they follow below.
PRAGMA defer_foreign_keys = on;--> statement-breakpoint
-- Without this index, dropping each call would read every event.
CREATE INDEX `call_events_of_call` ON `call_events` (`call_id`);--> statement-breakpoint
CREATE TABLE `calls_copy` AS SELECT * FROM `calls`;--> statement-breakpoint
DROP TABLE `calls`;--> statement-breakpoint
CREATE TABLE `calls` (
	`id` text PRIMARY KEY NOT NULL,
	`caller_id` text NOT NULL,
	`token_mint` text NOT NULL,
	`token_symbol` text NOT NULL,
	`token_name` text NOT NULL,
	`logo_uri` text,
	`entry_price` text NOT NULL,
	`called_at` integer NOT NULL,
	`thesis` text,
	`target_price` text,
	`stop_price` text,
	`is_paid_promotion` integer DEFAULT false NOT NULL,
	`unranked_reason` text,
	`peak_price` text,
	`peak_at` integer,
	`end_price` text,
	`ended_at` integer,
	`change_percent` real,
	`uncounted_gain_reason` text,
	`automatic_end` text,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "calls_entry_positive" CHECK(CAST("calls"."entry_price" AS REAL) > 0),
	CONSTRAINT "calls_end_positive" CHECK("calls"."end_price" IS NULL OR CAST("calls"."end_price" AS REAL) > 0 OR ("calls"."end_price" = '0' AND "calls"."automatic_end" IS 'no_price')),
	CONSTRAINT "calls_only_gains_uncounted" CHECK("calls"."uncounted_gain_reason" IS NULL OR "calls"."change_percent" > 0),
	CONSTRAINT "calls_automatic_end" CHECK("calls"."automatic_end" IS NULL OR "calls"."ended_at" IS NOT NULL),
	CONSTRAINT "calls_end_whole" CHECK(("calls"."end_price" IS NULL) = ("calls"."ended_at" IS NULL) AND ("calls"."end_price" IS NULL) = ("calls"."change_percent" IS NULL)),
	CONSTRAINT "calls_end_after_start" CHECK("calls"."ended_at" IS NULL OR "calls"."ended_at" >= "calls"."called_at")
);
--> statement-breakpoint
INSERT INTO `calls` (id, caller_id, token_mint, token_symbol, token_name, logo_uri, entry_price, called_at, thesis, target_price, stop_price, is_paid_promotion, unranked_reason, peak_price, peak_at, end_price, ended_at, change_percent)
SELECT id, caller_id, token_mint, token_symbol, token_name, logo_uri, entry_price, called_at, thesis, target_price, stop_price, is_paid_promotion, unranked_reason, peak_price, peak_at, end_price, ended_at, change_percent
FROM `calls_copy`;--> statement-breakpoint
DROP TABLE `calls_copy`;--> statement-breakpoint
DROP INDEX `call_events_of_call`;--> statement-breakpoint
CREATE UNIQUE INDEX `calls_one_active_per_mint` ON `calls` (`caller_id`,`token_mint`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `calls_one_active_per_symbol` ON `calls` (`caller_id`,"token_symbol" COLLATE NOCASE) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `calls_active` ON `calls` (`caller_id`,`called_at`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `calls_history` ON `calls` (`caller_id`,`ended_at`,`id`) WHERE ended_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `calls_recent` ON `calls` (`ended_at`,`id`) WHERE ended_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `calls_active_mints` ON `calls` (`token_mint`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `calls_by_age` ON `calls` (`called_at`,`id`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `calls_of_caller` ON `calls` (`caller_id`,`called_at`);--> statement-breakpoint
-- Existing calls are judged by the new rules, from their stored quotes and times. A call without quotes stays ranked.
UPDATE `calls` SET unranked_reason = 'one_source'
WHERE unranked_reason IS NULL
  AND (SELECT COUNT(*) FROM price_quotes q WHERE q.call_id = calls.id AND q.side = 'open') > 0
  AND (SELECT COUNT(*) FROM price_quotes q WHERE q.call_id = calls.id AND q.side = 'open' AND q.price IS NOT NULL AND q.quoted_at >= calls.called_at - 60000) < 2;--> statement-breakpoint
UPDATE `calls` SET unranked_reason = 'repeated_mint'
WHERE unranked_reason IS NULL
  AND EXISTS (SELECT 1 FROM calls p WHERE p.caller_id = calls.caller_id AND p.token_mint = calls.token_mint AND p.called_at > calls.called_at - 86400000 AND p.called_at < calls.called_at);--> statement-breakpoint
UPDATE `calls` SET uncounted_gain_reason = 'short_hold'
WHERE unranked_reason IS NULL AND change_percent > 0 AND ended_at - called_at < 600000;--> statement-breakpoint
UPDATE `calls` SET uncounted_gain_reason = 'one_source'
WHERE unranked_reason IS NULL AND change_percent > 0 AND uncounted_gain_reason IS NULL
  AND (SELECT COUNT(*) FROM price_quotes q WHERE q.call_id = calls.id AND q.side = 'end') > 0
  AND (SELECT COUNT(*) FROM price_quotes q WHERE q.call_id = calls.id AND q.side = 'end' AND q.price IS NOT NULL AND q.quoted_at >= calls.ended_at - 60000) < 2;--> statement-breakpoint
CREATE TRIGGER calls_fixed BEFORE UPDATE OF id, caller_id, token_mint, token_symbol, token_name, logo_uri, entry_price, called_at, thesis, target_price, stop_price, is_paid_promotion, unranked_reason ON calls
BEGIN SELECT RAISE(ABORT, 'what a call was published with is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER calls_ended_stay BEFORE UPDATE OF end_price, ended_at, change_percent, peak_price, peak_at, uncounted_gain_reason, automatic_end ON calls
WHEN OLD.ended_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'an ended call is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER calls_peak_rises BEFORE UPDATE OF peak_price ON calls
WHEN OLD.peak_price IS NOT NULL AND (NEW.peak_price IS NULL OR CAST(NEW.peak_price AS REAL) < CAST(OLD.peak_price AS REAL))
BEGIN SELECT RAISE(ABORT, 'the peak of a call never falls'); END;
--> statement-breakpoint
CREATE TRIGGER calls_no_delete BEFORE DELETE ON calls
BEGIN SELECT RAISE(ABORT, 'calls are never deleted'); END;
--> statement-breakpoint
-- INSERT OR REPLACE deletes without running triggers on deletes.
CREATE TRIGGER calls_no_replace BEFORE INSERT ON calls
WHEN EXISTS (SELECT 1 FROM calls WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'calls are never written over'); END;
--> statement-breakpoint
CREATE TRIGGER calls_tell_opened AFTER INSERT ON calls WHEN NEW.ended_at IS NULL
BEGIN
  INSERT INTO call_events (id, kind, call_id, caller_id, at) VALUES ('call_opened:' || NEW.id, 'call_opened', NEW.id, NEW.caller_id, NEW.called_at);
END;
--> statement-breakpoint
CREATE TRIGGER calls_tell_ended AFTER UPDATE OF ended_at ON calls WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
BEGIN
  INSERT INTO call_events (id, kind, call_id, caller_id, at) VALUES ('call_ended:' || NEW.id, 'call_ended', NEW.id, NEW.caller_id, NEW.ended_at);
END;
--> statement-breakpoint
DROP INDEX `callers_by_win_rate`;--> statement-breakpoint
DROP INDEX `callers_by_proven_rate`;--> statement-breakpoint
DROP INDEX `callers_by_avg_return`;--> statement-breakpoint
ALTER TABLE `callers` ADD `ranked_calls` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `callers` ADD `has_record` integer GENERATED ALWAYS AS (ranked_calls >= 5) VIRTUAL;--> statement-breakpoint
CREATE INDEX `callers_by_win_rate` ON `callers` (`has_record`,`win_rate`,`caller_id`);--> statement-breakpoint
CREATE INDEX `callers_by_proven_rate` ON `callers` (`has_record`,`proven_rate`,`caller_id`);--> statement-breakpoint
CREATE INDEX `callers_by_avg_return` ON `callers` (`has_record`,`avg_return`,`caller_id`);--> statement-breakpoint
-- The repair by the cron computes the rates again.
UPDATE `callers` SET ranked_calls = (SELECT COUNT(*) FROM calls k WHERE k.caller_id = callers.caller_id AND k.ended_at IS NOT NULL AND k.unranked_reason IS NULL);
