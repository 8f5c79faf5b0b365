ALTER TABLE `callers` ADD `unranked_calls` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `callers` ADD `won_calls` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `callers` ADD `proven_wins` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `callers` ADD `change_sum` real DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `callers` ADD `recent_calls` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `calls` ADD `counted_change` real GENERATED ALWAYS AS (iif(unranked_reason IS NULL, change_percent * (uncounted_gain_reason IS NULL), NULL)) VIRTUAL;--> statement-breakpoint
UPDATE `callers` SET
  (unranked_calls, won_calls, proven_wins, change_sum) = (
    SELECT
      COUNT(*) FILTER (WHERE ended_at IS NOT NULL AND counted_change IS NULL),
      COUNT(*) FILTER (WHERE counted_change > 0),
      COUNT(*) FILTER (WHERE counted_change >= 0.999999999),
      TOTAL(ROUND(counted_change * 1e9))
    FROM calls
    WHERE caller_id = callers.caller_id),
  recent_calls = (
    SELECT json_group_array(json_object('entryPrice', entry_price, 'endPrice', end_price, 'calledAt', called_at))
    FROM (
      SELECT entry_price, end_price, called_at
      FROM calls
      WHERE caller_id = callers.caller_id AND ended_at IS NOT NULL
      ORDER BY ended_at DESC, id DESC
      LIMIT 7));--> statement-breakpoint
-- Whatever opens or ends a call, the sums of its caller change with it. call-statistics.repository.ts checks them.
CREATE TRIGGER calls_count_opened AFTER INSERT ON calls WHEN NEW.ended_at IS NULL
BEGIN
  UPDATE callers SET total_calls = total_calls + 1 WHERE caller_id = NEW.caller_id;
END;
--> statement-breakpoint
CREATE TRIGGER calls_count_ended AFTER UPDATE OF ended_at ON calls WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
BEGIN
  UPDATE callers SET
    ended_calls = ended_calls + 1,
    unranked_calls = unranked_calls + (NEW.counted_change IS NULL),
    won_calls = won_calls + COALESCE(NEW.counted_change > 0, 0),
    proven_wins = proven_wins + COALESCE(NEW.counted_change >= 0.999999999, 0),
    change_sum = change_sum + COALESCE(ROUND(NEW.counted_change * 1e9), 0),
    last_call_at = MAX(last_call_at, NEW.ended_at),
    recent_calls = (
      SELECT json_group_array(json_object('entryPrice', entry_price, 'endPrice', end_price, 'calledAt', called_at))
      FROM (
        SELECT entry_price, end_price, called_at
        FROM calls
        WHERE caller_id = NEW.caller_id AND ended_at IS NOT NULL
        ORDER BY ended_at DESC, id DESC
        LIMIT 7))
  WHERE caller_id = NEW.caller_id;
END;
--> statement-breakpoint
-- For calls that are imported with their end.
CREATE TRIGGER calls_count_ended_insert AFTER INSERT ON calls WHEN NEW.ended_at IS NOT NULL
BEGIN
  UPDATE callers SET
    total_calls = total_calls + 1,
    ended_calls = ended_calls + 1,
    unranked_calls = unranked_calls + (NEW.counted_change IS NULL),
    won_calls = won_calls + COALESCE(NEW.counted_change > 0, 0),
    proven_wins = proven_wins + COALESCE(NEW.counted_change >= 0.999999999, 0),
    change_sum = change_sum + COALESCE(ROUND(NEW.counted_change * 1e9), 0),
    last_call_at = MAX(last_call_at, NEW.ended_at),
    recent_calls = (
      SELECT json_group_array(json_object('entryPrice', entry_price, 'endPrice', end_price, 'calledAt', called_at))
      FROM (
        SELECT entry_price, end_price, called_at
        FROM calls
        WHERE caller_id = NEW.caller_id AND ended_at IS NOT NULL
        ORDER BY ended_at DESC, id DESC
        LIMIT 7))
  WHERE caller_id = NEW.caller_id;
END;
