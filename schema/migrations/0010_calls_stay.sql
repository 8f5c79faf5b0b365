CREATE TRIGGER calls_fixed BEFORE UPDATE OF id, caller_id, token_mint, token_symbol, token_name, logo_uri, entry_price, called_at, thesis, target_price, stop_price, is_paid_promotion, unranked_reason ON calls
BEGIN SELECT RAISE(ABORT, 'what a call was published with is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER calls_ended_stay BEFORE UPDATE OF end_price, ended_at, change_percent, peak_price, peak_at ON calls
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
-- INSERT OR REPLACE deletes without a word to triggers on deletes.
CREATE TRIGGER calls_no_replace BEFORE INSERT ON calls
WHEN EXISTS (SELECT 1 FROM calls WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'calls are never written over'); END;
--> statement-breakpoint
CREATE TRIGGER price_quotes_no_update BEFORE UPDATE ON price_quotes
BEGIN SELECT RAISE(ABORT, 'quotes are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER price_quotes_no_delete BEFORE DELETE ON price_quotes
BEGIN SELECT RAISE(ABORT, 'quotes are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER call_updates_no_update BEFORE UPDATE ON call_updates
BEGIN SELECT RAISE(ABORT, 'updates are never changed'); END;
