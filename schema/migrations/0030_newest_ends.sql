-- Stores when each of the newest calls ended, so that a list of the calls of several callers reads only the calls that it shows.
DROP TRIGGER calls_count_ended;--> statement-breakpoint
DROP TRIGGER calls_count_ended_insert;--> statement-breakpoint
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
      SELECT json_group_array(json_object('entryPrice', entry_price, 'endPrice', end_price, 'calledAt', called_at, 'endedAt', ended_at))
      FROM (
        SELECT entry_price, end_price, called_at, ended_at
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
      SELECT json_group_array(json_object('entryPrice', entry_price, 'endPrice', end_price, 'calledAt', called_at, 'endedAt', ended_at))
      FROM (
        SELECT entry_price, end_price, called_at, ended_at
        FROM calls
        WHERE caller_id = NEW.caller_id AND ended_at IS NOT NULL
        ORDER BY ended_at DESC, id DESC
        LIMIT 7))
  WHERE caller_id = NEW.caller_id;
END;
--> statement-breakpoint
UPDATE callers SET recent_calls = (
  SELECT json_group_array(json_object('entryPrice', entry_price, 'endPrice', end_price, 'calledAt', called_at, 'endedAt', ended_at))
  FROM (
    SELECT entry_price, end_price, called_at, ended_at
    FROM calls
    WHERE caller_id = callers.caller_id AND ended_at IS NOT NULL
    ORDER BY ended_at DESC, id DESC
    LIMIT 7))
WHERE ended_calls > 0;
