-- Of two ends at once the loser is told by these words (worker/app/database.ts).
CREATE TRIGGER price_quotes_no_replace BEFORE INSERT ON price_quotes
WHEN EXISTS (SELECT 1 FROM price_quotes WHERE call_id = NEW.call_id AND side = NEW.side AND (source = NEW.source OR (is_recorded = 1 AND NEW.is_recorded = 1)))
BEGIN SELECT RAISE(ABORT, 'UNIQUE constraint failed: quotes are never written over'); END;
--> statement-breakpoint
CREATE TRIGGER call_updates_no_replace BEFORE INSERT ON call_updates
WHEN EXISTS (SELECT 1 FROM call_updates WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'updates are never written over'); END;
