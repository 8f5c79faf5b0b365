ALTER TABLE `calls` ADD `entry_market_cap_usd` integer CONSTRAINT "calls_market_cap_positive" CHECK("entry_market_cap_usd" > 0);
--> statement-breakpoint
DROP TRIGGER calls_fixed;
--> statement-breakpoint
CREATE TRIGGER calls_fixed BEFORE UPDATE OF id, caller_id, token_mint, token_symbol, token_name, logo_uri, entry_price, entry_market_cap_usd, called_at, thesis, target_price, stop_price, is_paid_promotion, unranked_reason ON calls
BEGIN SELECT RAISE(ABORT, 'what a call was published with is never changed'); END;
