CREATE TABLE `callers` (
	`caller_id` text PRIMARY KEY NOT NULL,
	`fee_lamports` integer DEFAULT 0 NOT NULL,
	`payout_address` text,
	`search_text` text NOT NULL,
	`win_rate` real DEFAULT 0 NOT NULL,
	`avg_return` real DEFAULT -100 NOT NULL,
	`total_calls` integer DEFAULT 0 NOT NULL,
	`ended_calls` integer DEFAULT 0 NOT NULL,
	`last_call_at` integer DEFAULT 0 NOT NULL,
	`subscriber_count` integer DEFAULT 0 NOT NULL,
	`earned_lamports` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "callers_fee" CHECK("callers"."fee_lamports" >= 0),
	CONSTRAINT "callers_counts" CHECK("callers"."total_calls" >= "callers"."ended_calls" AND "callers"."ended_calls" >= 0 AND "callers"."subscriber_count" >= 0)
);
--> statement-breakpoint
CREATE INDEX `callers_by_win_rate` ON `callers` (`win_rate`,`caller_id`);--> statement-breakpoint
CREATE INDEX `callers_by_avg_return` ON `callers` (`avg_return`,`caller_id`);--> statement-breakpoint
CREATE INDEX `callers_by_total_calls` ON `callers` (`total_calls`,`caller_id`);--> statement-breakpoint
CREATE INDEX `callers_by_subscribers` ON `callers` (`subscriber_count`,`caller_id`);--> statement-breakpoint
CREATE INDEX `callers_by_last_call` ON `callers` (`last_call_at`,`caller_id`);--> statement-breakpoint
CREATE INDEX `callers_by_fee` ON `callers` (`fee_lamports`,`caller_id`);--> statement-breakpoint
CREATE TABLE `calls` (
	`id` text PRIMARY KEY NOT NULL,
	`caller_id` text NOT NULL,
	`token_mint` text NOT NULL,
	`token_symbol` text NOT NULL,
	`token_name` text NOT NULL,
	`logo_uri` text,
	`entry_price` text NOT NULL,
	`called_at` integer NOT NULL,
	`end_price` text,
	`ended_at` integer,
	`change_percent` real,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "calls_entry_positive" CHECK(CAST("calls"."entry_price" AS REAL) > 0),
	CONSTRAINT "calls_end_positive" CHECK("calls"."end_price" IS NULL OR CAST("calls"."end_price" AS REAL) > 0),
	CONSTRAINT "calls_end_whole" CHECK(("calls"."end_price" IS NULL) = ("calls"."ended_at" IS NULL) AND ("calls"."end_price" IS NULL) = ("calls"."change_percent" IS NULL)),
	CONSTRAINT "calls_end_after_start" CHECK("calls"."ended_at" IS NULL OR "calls"."ended_at" >= "calls"."called_at")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calls_one_active_per_mint` ON `calls` (`caller_id`,`token_mint`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `calls_one_active_per_symbol` ON `calls` (`caller_id`,"token_symbol" COLLATE NOCASE) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `calls_active` ON `calls` (`caller_id`,`called_at`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `calls_history` ON `calls` (`caller_id`,`ended_at`,`id`) WHERE ended_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `calls_recent` ON `calls` (`ended_at`,`id`) WHERE ended_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `calls_active_mints` ON `calls` (`token_mint`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE TABLE `price_quotes` (
	`call_id` text NOT NULL,
	`side` text NOT NULL,
	`source` text NOT NULL,
	`price` text,
	`failure` text,
	`is_recorded` integer NOT NULL,
	`quoted_at` integer NOT NULL,
	`block_id` integer,
	`liquidity_usd` real,
	FOREIGN KEY (`call_id`) REFERENCES `calls`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "price_quotes_said" CHECK(("price_quotes"."price" IS NULL) <> ("price_quotes"."failure" IS NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `price_quotes_once` ON `price_quotes` (`call_id`,`side`,`source`);--> statement-breakpoint
CREATE UNIQUE INDEX `price_quotes_one_recorded` ON `price_quotes` (`call_id`,`side`) WHERE is_recorded = 1;--> statement-breakpoint
CREATE TABLE `payment_broadcasts` (
	`signature` text PRIMARY KEY NOT NULL,
	`intent_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`rejected_at` integer,
	FOREIGN KEY (`intent_id`) REFERENCES `payment_intents`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `payment_broadcasts_intent` ON `payment_broadcasts` (`intent_id`);--> statement-breakpoint
CREATE TABLE `payment_intents` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`caller_id` text NOT NULL,
	`reference` text NOT NULL,
	`caller_address` text NOT NULL,
	`platform_address` text NOT NULL,
	`total_lamports` integer NOT NULL,
	`caller_lamports` integer NOT NULL,
	`platform_lamports` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`reconciled_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_intents_split" CHECK("payment_intents"."caller_lamports" + "payment_intents"."platform_lamports" = "payment_intents"."total_lamports"),
	CONSTRAINT "payment_intents_amounts" CHECK("payment_intents"."caller_lamports" > 0 AND "payment_intents"."platform_lamports" >= 0),
	CONSTRAINT "payment_intents_not_self" CHECK("payment_intents"."user_id" <> "payment_intents"."caller_id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_intents_reference` ON `payment_intents` (`reference`);--> statement-breakpoint
CREATE INDEX `payment_intents_created` ON `payment_intents` (`created_at`);--> statement-breakpoint
CREATE INDEX `payment_intents_user` ON `payment_intents` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`signature` text NOT NULL,
	`intent_id` text NOT NULL,
	`user_id` text NOT NULL,
	`caller_id` text NOT NULL,
	`payer_address` text NOT NULL,
	`total_lamports` integer NOT NULL,
	`caller_lamports` integer NOT NULL,
	`platform_lamports` integer NOT NULL,
	`slot` integer NOT NULL,
	`paid_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`intent_id`) REFERENCES `payment_intents`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payments_split" CHECK("payments"."caller_lamports" + "payments"."platform_lamports" = "payments"."total_lamports")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_signature` ON `payments` (`signature`);--> statement-breakpoint
CREATE INDEX `payments_intent` ON `payments` (`intent_id`);--> statement-breakpoint
CREATE INDEX `payments_caller` ON `payments` (`caller_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `payments_user` ON `payments` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expires` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`subscriber_id` text NOT NULL,
	`caller_id` text NOT NULL,
	`payment_id` text,
	`starts_at` integer NOT NULL,
	`ends_at` integer,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`subscriber_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "subscriptions_paid_ends" CHECK("subscriptions"."payment_id" IS NULL OR "subscriptions"."ends_at" IS NOT NULL),
	CONSTRAINT "subscriptions_forward" CHECK("subscriptions"."ends_at" IS NULL OR "subscriptions"."ends_at" > "subscriptions"."starts_at"),
	CONSTRAINT "subscriptions_not_self" CHECK("subscriptions"."subscriber_id" <> "subscriptions"."caller_id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_payment` ON `subscriptions` (`payment_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_one_open_grant` ON `subscriptions` (`subscriber_id`,`caller_id`) WHERE ends_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_one_start` ON `subscriptions` (`subscriber_id`,`caller_id`,`starts_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_caller` ON `subscriptions` (`caller_id`,`status`,`subscriber_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_newest` ON `subscriptions` (`caller_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `subscriptions_lapsing` ON `subscriptions` (`ends_at`) WHERE status = 'active';--> statement-breakpoint
CREATE TABLE `telegram_links` (
	`user_id` text PRIMARY KEY NOT NULL,
	`handle` text NOT NULL,
	`chat_id` text,
	`start_nonce_hash` text,
	`connected_at` integer,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `telegram_links_chat` ON `telegram_links` (`chat_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `telegram_links_nonce` ON `telegram_links` (`start_nonce_hash`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`x_user_id` text NOT NULL,
	`twitter_handle` text NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`email` text,
	`profile_image_url` text,
	`bio` text,
	`is_verified` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_x_user_id` ON `users` (`x_user_id`);--> statement-breakpoint
CREATE INDEX `users_twitter_handle` ON `users` ("twitter_handle" COLLATE NOCASE);--> statement-breakpoint
CREATE TABLE `wallet_challenges` (
	`nonce` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`address` text NOT NULL,
	`message` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `wallet_challenges_user` ON `wallet_challenges` (`user_id`,`address`);--> statement-breakpoint
CREATE INDEX `wallet_challenges_expires` ON `wallet_challenges` (`expires_at`);--> statement-breakpoint
CREATE TABLE `wallets` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`address` text NOT NULL,
	`proven_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `wallets_user_address` ON `wallets` (`user_id`,`address`);--> statement-breakpoint
CREATE TABLE `x_tokens` (
	`user_id` text PRIMARY KEY NOT NULL,
	`access_token_ciphertext` text NOT NULL,
	`refresh_token_ciphertext` text,
	`scopes` text NOT NULL,
	`expires_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
