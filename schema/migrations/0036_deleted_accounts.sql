-- compatible: trigger calls_fixed: it rejects what the trigger before it rejected, except for deleted accounts.
-- compatible: trigger calls_thesis_fixed: it rejects what the trigger before it rejected, except for deleted accounts.
-- compatible: trigger call_updates_no_update: it rejects what the trigger before it rejected, except for deleted accounts.
-- compatible: trigger users_deleted_stay: only accounts that the next version has deleted are kept as they are.
-- compatible: trigger sessions_of_deleted: it only drops rows of accounts that the next version has deleted.
-- compatible: trigger devices_of_deleted: it only drops rows of accounts that the next version has deleted.
-- compatible: trigger wallets_of_deleted: it only drops rows of accounts that the next version has deleted.
-- compatible: trigger wallet_challenges_of_deleted: it only drops rows of accounts that the next version has deleted.
-- compatible: trigger telegram_links_of_deleted: it only drops rows of accounts that the next version has deleted.
-- compatible: trigger x_tokens_of_deleted: it only drops rows of accounts that the next version has deleted.
-- compatible: trigger notification_opt_outs_of_deleted: it only drops rows of accounts that the next version has deleted.
-- compatible: trigger notification_mutes_of_deleted: it only drops rows of accounts that the next version has deleted.
-- compatible: trigger callers_of_deleted: it only drops rows of accounts that the next version has deleted.
-- compatible: trigger calls_of_deleted: it only drops rows of accounts that the next version has deleted.
-- compatible: trigger payment_intents_of_deleted: it only drops rows of accounts that the next version has deleted.
-- compatible: trigger call_updates_of_deleted: it only drops rows of accounts that the next version has deleted.
-- compatible: trigger reports_of_deleted: it only drops rows of accounts that the next version has deleted.
ALTER TABLE `users` ADD `deleted_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `erased_to` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `erased_at` integer;--> statement-breakpoint
CREATE INDEX `users_to_erase` ON `users` (`deleted_at`) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;--> statement-breakpoint
DROP TRIGGER calls_fixed;
--> statement-breakpoint
CREATE TRIGGER calls_fixed BEFORE UPDATE OF id, caller_id, token_mint, token_symbol, token_name, logo_uri, entry_price, entry_market_cap_usd, called_at, target_price, stop_price, is_paid_promotion, unranked_reason ON calls
BEGIN SELECT RAISE(ABORT, 'what a call was published with is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER calls_thesis_fixed BEFORE UPDATE OF thesis ON calls
WHEN NEW.thesis IS NOT NULL OR NOT EXISTS (SELECT 1 FROM users WHERE id = OLD.caller_id AND deleted_at IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'what a call was published with is never changed'); END;
--> statement-breakpoint
DROP TRIGGER call_updates_no_update;
--> statement-breakpoint
CREATE TRIGGER call_updates_no_update BEFORE UPDATE ON call_updates
WHEN (NEW.id, NEW.call_id, NEW.message, NEW.created_at) IS NOT (OLD.id, OLD.call_id, '', OLD.created_at)
  OR NOT EXISTS (
    SELECT 1 FROM calls k JOIN users u ON u.id = k.caller_id
    WHERE k.id = OLD.call_id AND u.deleted_at IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'updates are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER users_deleted_stay BEFORE UPDATE OF id, x_user_id, twitter_handle, first_name, last_name, email, profile_image_url, bio, is_verified, is_suspended, deleted_at ON users
WHEN OLD.deleted_at IS NOT NULL
BEGIN SELECT RAISE(IGNORE); END;
--> statement-breakpoint
CREATE TRIGGER sessions_of_deleted BEFORE INSERT ON sessions
WHEN EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND deleted_at IS NOT NULL)
BEGIN SELECT RAISE(IGNORE); END;
--> statement-breakpoint
CREATE TRIGGER devices_of_deleted BEFORE INSERT ON devices
WHEN EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND deleted_at IS NOT NULL)
BEGIN SELECT RAISE(IGNORE); END;
--> statement-breakpoint
CREATE TRIGGER wallets_of_deleted BEFORE INSERT ON wallets
WHEN EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND deleted_at IS NOT NULL)
BEGIN SELECT RAISE(IGNORE); END;
--> statement-breakpoint
CREATE TRIGGER wallet_challenges_of_deleted BEFORE INSERT ON wallet_challenges
WHEN EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND deleted_at IS NOT NULL)
BEGIN SELECT RAISE(IGNORE); END;
--> statement-breakpoint
CREATE TRIGGER telegram_links_of_deleted BEFORE INSERT ON telegram_links
WHEN EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND deleted_at IS NOT NULL)
BEGIN SELECT RAISE(IGNORE); END;
--> statement-breakpoint
CREATE TRIGGER x_tokens_of_deleted BEFORE INSERT ON x_tokens
WHEN EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND deleted_at IS NOT NULL)
BEGIN SELECT RAISE(IGNORE); END;
--> statement-breakpoint
CREATE TRIGGER notification_opt_outs_of_deleted BEFORE INSERT ON notification_opt_outs
WHEN EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND deleted_at IS NOT NULL)
BEGIN SELECT RAISE(IGNORE); END;
--> statement-breakpoint
CREATE TRIGGER notification_mutes_of_deleted BEFORE INSERT ON notification_mutes
WHEN EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND deleted_at IS NOT NULL)
BEGIN SELECT RAISE(IGNORE); END;
--> statement-breakpoint
CREATE TRIGGER callers_of_deleted BEFORE INSERT ON callers
WHEN EXISTS (SELECT 1 FROM users WHERE id = NEW.caller_id AND deleted_at IS NOT NULL)
BEGIN SELECT RAISE(IGNORE); END;
--> statement-breakpoint
CREATE TRIGGER calls_of_deleted BEFORE INSERT ON calls
WHEN EXISTS (SELECT 1 FROM users WHERE id = NEW.caller_id AND deleted_at IS NOT NULL)
BEGIN SELECT RAISE(IGNORE); END;
--> statement-breakpoint
CREATE TRIGGER payment_intents_of_deleted BEFORE INSERT ON payment_intents
WHEN EXISTS (SELECT 1 FROM users WHERE id IN (NEW.user_id, NEW.caller_id) AND deleted_at IS NOT NULL)
BEGIN SELECT RAISE(IGNORE); END;
--> statement-breakpoint
CREATE TRIGGER call_updates_of_deleted BEFORE INSERT ON call_updates
WHEN EXISTS (SELECT 1 FROM calls k JOIN users u ON u.id = k.caller_id WHERE k.id = NEW.call_id AND u.deleted_at IS NOT NULL)
BEGIN SELECT RAISE(IGNORE); END;
--> statement-breakpoint
CREATE TRIGGER reports_of_deleted BEFORE INSERT ON reports
WHEN EXISTS (SELECT 1 FROM users WHERE id = NEW.reporter_id AND deleted_at IS NOT NULL)
BEGIN SELECT RAISE(IGNORE); END;
