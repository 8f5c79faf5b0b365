DROP INDEX `callers_by_win_rate`;--> statement-breakpoint
DROP INDEX `callers_by_proven_rate`;--> statement-breakpoint
DROP INDEX `callers_by_last_call`;--> statement-breakpoint
ALTER TABLE `callers` ADD `fee_level` integer GENERATED ALWAYS AS (min((fee_lamports + 99999999) / 100000000, 40) + (fee_lamports > 4000000000) + (fee_lamports > 5000000000) + (fee_lamports > 6000000000) + (fee_lamports > 8000000000) + (fee_lamports > 10000000000) + (fee_lamports > 20000000000) + (fee_lamports > 50000000000)) VIRTUAL;--> statement-breakpoint
ALTER TABLE `callers` ADD `is_verified` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `verified_callers_by_fee` ON `callers` (`fee_lamports`,`caller_id`) WHERE is_verified = 1;--> statement-breakpoint
CREATE INDEX `callers_by_fee_level_and_win_rate` ON `callers` (`fee_level`,`has_record`,`win_rate`,`caller_id`);--> statement-breakpoint
CREATE INDEX `verified_callers_by_win_rate` ON `callers` (`fee_level`,`has_record`,`win_rate`,`caller_id`) WHERE is_verified = 1;--> statement-breakpoint
CREATE INDEX `callers_by_fee_level_and_proven_rate` ON `callers` (`fee_level`,`has_record`,`proven_rate`,`caller_id`);--> statement-breakpoint
CREATE INDEX `verified_callers_by_proven_rate` ON `callers` (`fee_level`,`has_record`,`proven_rate`,`caller_id`) WHERE is_verified = 1;--> statement-breakpoint
CREATE INDEX `callers_by_fee_level_and_avg_return` ON `callers` (`fee_level`,`has_record`,`avg_return`,`caller_id`);--> statement-breakpoint
CREATE INDEX `verified_callers_by_avg_return` ON `callers` (`fee_level`,`has_record`,`avg_return`,`caller_id`) WHERE is_verified = 1;--> statement-breakpoint
CREATE INDEX `callers_by_fee_level_and_total_calls` ON `callers` (`fee_level`,`total_calls`,`caller_id`);--> statement-breakpoint
CREATE INDEX `verified_callers_by_total_calls` ON `callers` (`fee_level`,`total_calls`,`caller_id`) WHERE is_verified = 1;--> statement-breakpoint
CREATE INDEX `callers_by_fee_level_and_subscribers` ON `callers` (`fee_level`,`subscriber_count`,`caller_id`);--> statement-breakpoint
CREATE INDEX `verified_callers_by_subscribers` ON `callers` (`fee_level`,`subscriber_count`,`caller_id`) WHERE is_verified = 1;--> statement-breakpoint
CREATE INDEX `callers_by_fee_level_and_last_call` ON `callers` (`fee_level`,`last_call_at`,`caller_id`);--> statement-breakpoint
CREATE INDEX `verified_callers_by_last_call` ON `callers` (`fee_level`,`last_call_at`,`caller_id`) WHERE is_verified = 1;--> statement-breakpoint
UPDATE `callers` SET is_verified = 1 WHERE caller_id IN (SELECT id FROM users WHERE is_verified = 1);--> statement-breakpoint
CREATE TRIGGER callers_are_verified_with_users AFTER UPDATE OF is_verified ON users WHEN NEW.is_verified <> OLD.is_verified
BEGIN
  UPDATE callers SET is_verified = NEW.is_verified WHERE caller_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER callers_start_verified AFTER INSERT ON callers
WHEN NEW.is_verified <> (SELECT is_verified FROM users WHERE id = NEW.caller_id)
BEGIN
  UPDATE callers SET is_verified = NOT NEW.is_verified WHERE caller_id = NEW.caller_id;
END;
--> statement-breakpoint
-- One document per caller, with the rowid of the caller: a token for each run of one to three characters of the search text.
CREATE VIRTUAL TABLE callers_search USING fts5(tokens, tokenize = 'ascii', detail = 'none', content = '', contentless_delete = 1);
--> statement-breakpoint
INSERT INTO callers_search (rowid, tokens)
  SELECT rowid, (
      SELECT group_concat(hex(substr(search_text, place.key + 1, run.value)), ' ')
      FROM json_each('[' || rtrim(replace(hex(zeroblob(length(search_text))), '00', '0,'), ',') || ']') place, json_each('[1,2,3]') run
      WHERE place.key + run.value <= length(search_text))
  FROM callers;
--> statement-breakpoint
CREATE TRIGGER callers_search_inserted AFTER INSERT ON callers
BEGIN
  INSERT INTO callers_search (rowid, tokens) VALUES (
    NEW.rowid,
    (
      SELECT group_concat(hex(substr(NEW.search_text, place.key + 1, run.value)), ' ')
      FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_text))), '00', '0,'), ',') || ']') place, json_each('[1,2,3]') run
      WHERE place.key + run.value <= length(NEW.search_text)));
END;
--> statement-breakpoint
CREATE TRIGGER callers_search_updated AFTER UPDATE OF search_text ON callers WHEN NEW.search_text <> OLD.search_text
BEGIN
  UPDATE callers_search SET tokens = (
      SELECT group_concat(hex(substr(NEW.search_text, place.key + 1, run.value)), ' ')
      FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_text))), '00', '0,'), ',') || ']') place, json_each('[1,2,3]') run
      WHERE place.key + run.value <= length(NEW.search_text))
  WHERE rowid = NEW.rowid;
END;
--> statement-breakpoint
CREATE TRIGGER callers_search_deleted AFTER DELETE ON callers
BEGIN
  DELETE FROM callers_search WHERE rowid = OLD.rowid;
END;
