-- What is to be told is written down with what has happened: no way of making, ending or updating a call is forgotten.
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
CREATE TRIGGER call_updates_tell AFTER INSERT ON call_updates
BEGIN
  INSERT INTO call_events (id, kind, call_id, caller_id, update_id, at)
  SELECT 'call_update:' || NEW.id, 'call_update', NEW.call_id, caller_id, NEW.id, NEW.created_at FROM calls WHERE id = NEW.call_id;
END;
--> statement-breakpoint
CREATE TRIGGER call_updates_no_delete BEFORE DELETE ON call_updates
BEGIN SELECT RAISE(ABORT, 'updates are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER payment_ledger_tell_settled AFTER INSERT ON payment_ledger WHEN NEW.kind = 'settled'
BEGIN
  INSERT INTO payment_notices (payment_id, at) VALUES (NEW.payment_id, NEW.at) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
-- The counters of an event are those of its deliveries, whatever wrote them. Those that are purged were counted.
CREATE TRIGGER deliveries_counted_insert AFTER INSERT ON deliveries WHEN NEW.outcome IS NOT NULL
BEGIN
  UPDATE call_events SET delivered = delivered + (NEW.outcome = 'delivered'), unreachable = unreachable + (NEW.outcome = 'unreachable'), failed = failed + (NEW.outcome = 'failed')
  WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER deliveries_counted_update AFTER UPDATE OF outcome ON deliveries WHEN OLD.outcome IS NOT NEW.outcome
BEGIN
  UPDATE call_events SET
    delivered = delivered + (NEW.outcome IS 'delivered') - (OLD.outcome IS 'delivered'),
    unreachable = unreachable + (NEW.outcome IS 'unreachable') - (OLD.outcome IS 'unreachable'),
    failed = failed + (NEW.outcome IS 'failed') - (OLD.outcome IS 'failed')
  WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER deliveries_delivered_stay BEFORE UPDATE OF outcome ON deliveries WHEN OLD.outcome = 'delivered' AND NEW.outcome IS NOT 'delivered'
BEGIN SELECT RAISE(ABORT, 'what was delivered stays delivered'); END;
