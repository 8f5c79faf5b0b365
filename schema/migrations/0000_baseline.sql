-- Tables and indexes of schema/tables, written by npm run migrations.

CREATE TABLE `acceptances` (
	`user_id` text NOT NULL,
	`document` text NOT NULL,
	`version` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `document`, `version`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE TABLE `api_keys` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`may_call` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`live_id`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `api_keys_user` ON `api_keys` (`user_id`,`created_at`);

CREATE TABLE `attempts` (
	`action` text NOT NULL,
	`person` text NOT NULL,
	`full_at` integer NOT NULL,
	PRIMARY KEY(`action`, `person`)
);
CREATE INDEX `attempts_by_time` ON `attempts` (`full_at`);

CREATE TABLE `call_holdings` (
	`call_id` text PRIMARY KEY NOT NULL,
	`wallets` text NOT NULL,
	`due_at` integer,
	`tries` integer DEFAULT 0 NOT NULL,
	`read_until` integer,
	`state` text,
	`found` text,
	FOREIGN KEY (`call_id`) REFERENCES `calls`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "call_holdings_read" CHECK(("call_holdings"."read_until" IS NULL) = ("call_holdings"."state" IS NULL)),
	CONSTRAINT "call_holdings_found" CHECK(("call_holdings"."found" IS NOT NULL) = ("call_holdings"."state" IN ('complete', 'partial')))
);
CREATE INDEX `call_holdings_due` ON `call_holdings` (`due_at`) WHERE due_at IS NOT NULL;

CREATE TABLE `call_updates` (
	`id` text PRIMARY KEY NOT NULL,
	`call_id` text NOT NULL,
	`message` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`call_id`) REFERENCES `calls`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `call_updates_of_call` ON `call_updates` (`call_id`,`created_at`);

CREATE TABLE `called_tokens` (
	`mint` text PRIMARY KEY NOT NULL,
	`symbol` text NOT NULL,
	`name` text NOT NULL,
	`call_id` text NOT NULL,
	FOREIGN KEY (`call_id`) REFERENCES `calls`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `called_tokens_by_symbol` ON `called_tokens` ("symbol" COLLATE NOCASE);
CREATE INDEX `called_tokens_by_name` ON `called_tokens` ("name" COLLATE NOCASE);

CREATE TABLE `caller_statistics` (
	`caller_id` text PRIMARY KEY NOT NULL,
	`version` text NOT NULL,
	`calls` text NOT NULL,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE TABLE `callers` (
	`caller_id` text PRIMARY KEY NOT NULL,
	`fee_lamports` integer DEFAULT 0 NOT NULL,
	`charges_since` integer DEFAULT 0 NOT NULL,
	`fee_level` integer GENERATED ALWAYS AS (min((fee_lamports + 99999999) / 100000000, 40) + (fee_lamports > 4000000000) + (fee_lamports > 5000000000) + (fee_lamports > 6000000000) + (fee_lamports > 8000000000) + (fee_lamports > 10000000000) + (fee_lamports > 20000000000) + (fee_lamports > 50000000000)) VIRTUAL,
	`is_verified` integer DEFAULT false NOT NULL,
	`is_suspended` integer DEFAULT false NOT NULL,
	`is_hidden` integer DEFAULT false NOT NULL,
	`summary` text DEFAULT '{}' NOT NULL,
	`payout_address` text,
	`deletes_at` integer,
	`absences` text DEFAULT '[]' NOT NULL,
	`search_text` text NOT NULL,
	`handle_key` text DEFAULT '' NOT NULL,
	`handle_since` integer DEFAULT 0 NOT NULL,
	`name_key` text DEFAULT '' NOT NULL,
	`name_since` integer DEFAULT 0 NOT NULL,
	`win_rate` real DEFAULT -1 NOT NULL,
	`avg_return` real DEFAULT -100 NOT NULL,
	`total_calls` integer DEFAULT 0 NOT NULL,
	`ended_calls` integer DEFAULT 0 NOT NULL,
	`ranked_calls` integer DEFAULT 0 NOT NULL,
	`unranked_calls` integer DEFAULT 0 NOT NULL,
	`won_calls` integer DEFAULT 0 NOT NULL,
	`change_sum` real DEFAULT 0 NOT NULL,
	`measured_calls` integer DEFAULT 0 NOT NULL,
	`follower_calls` integer DEFAULT 0 NOT NULL,
	`calls_without_result` integer DEFAULT 0 NOT NULL,
	`follower_return` real DEFAULT -100 NOT NULL,
	`proven` real DEFAULT -1000 NOT NULL,
	`proven_days` integer DEFAULT 0 NOT NULL,
	`proven_mints` integer DEFAULT 0 NOT NULL,
	`is_proven` integer GENERATED ALWAYS AS (proven > 0) VIRTUAL,
	`search_rank` integer GENERATED ALWAYS AS ((1 - (proven > 0)) * 1024 + 1023 - min(1023, max(0, CAST((avg_return + 100) / 2 AS INTEGER)))) VIRTUAL,
	`last_call_at` integer DEFAULT 0 NOT NULL,
	`recent_calls` text DEFAULT '[]' NOT NULL,
	`holdings` text,
	`subscriber_count` integer DEFAULT 0 NOT NULL,
	`earned_lamports` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "callers_fee" CHECK("callers"."fee_lamports" >= 0),
	CONSTRAINT "callers_counts" CHECK("callers"."total_calls" >= "callers"."ended_calls" AND "callers"."ended_calls" >= 0 AND "callers"."subscriber_count" >= 0)
);
CREATE INDEX `callers_to_delete` ON `callers` (`deletes_at`) WHERE deletes_at IS NOT NULL;
CREATE INDEX `known_callers_by_handle_key` ON `callers` (`handle_key`,is_verified DESC,`handle_since`) WHERE (is_verified = 1 OR subscriber_count >= 10) AND is_suspended = 0 AND is_hidden = 0;
CREATE INDEX `known_callers_by_name_key` ON `callers` (`name_key`,is_verified DESC,`name_since`) WHERE (is_verified = 1 OR subscriber_count >= 10) AND is_suspended = 0 AND is_hidden = 0;
CREATE INDEX `callers_by_avg_return` ON `callers` (`is_proven`,`avg_return`,`caller_id`);
CREATE INDEX `callers_by_total_calls` ON `callers` (`total_calls`,`caller_id`);
CREATE INDEX `callers_by_subscribers` ON `callers` (`subscriber_count`,`caller_id`);
CREATE INDEX `callers_by_fee` ON `callers` (`fee_lamports`,`caller_id`);
CREATE INDEX `verified_callers_by_fee` ON `callers` (`fee_lamports`,`caller_id`) WHERE is_verified = 1;
CREATE INDEX `callers_by_fee_level_and_win_rate` ON `callers` (`fee_level`,`is_proven`,`win_rate`,`caller_id`);
CREATE INDEX `verified_callers_by_win_rate` ON `callers` (`fee_level`,`is_proven`,`win_rate`,`caller_id`) WHERE is_verified = 1;
CREATE INDEX `callers_by_fee_level_and_proven` ON `callers` (`fee_level`,`is_proven`,`proven`,`caller_id`);
CREATE INDEX `verified_callers_by_proven` ON `callers` (`fee_level`,`is_proven`,`proven`,`caller_id`) WHERE is_verified = 1;
CREATE INDEX `callers_by_fee_level_and_avg_return` ON `callers` (`fee_level`,`is_proven`,`avg_return`,`caller_id`);
CREATE INDEX `verified_callers_by_avg_return` ON `callers` (`fee_level`,`is_proven`,`avg_return`,`caller_id`) WHERE is_verified = 1;
CREATE INDEX `callers_by_fee_level_and_follower_return` ON `callers` (`fee_level`,`is_proven`,`follower_return`,`caller_id`);
CREATE INDEX `verified_callers_by_follower_return` ON `callers` (`fee_level`,`is_proven`,`follower_return`,`caller_id`) WHERE is_verified = 1;
CREATE INDEX `callers_by_fee_level_and_total_calls` ON `callers` (`fee_level`,`total_calls`,`caller_id`);
CREATE INDEX `verified_callers_by_total_calls` ON `callers` (`fee_level`,`total_calls`,`caller_id`) WHERE is_verified = 1;
CREATE INDEX `callers_by_fee_level_and_subscribers` ON `callers` (`fee_level`,`subscriber_count`,`caller_id`);
CREATE INDEX `verified_callers_by_subscribers` ON `callers` (`fee_level`,`subscriber_count`,`caller_id`) WHERE is_verified = 1;
CREATE INDEX `callers_by_fee_level_and_last_call` ON `callers` (`fee_level`,`last_call_at`,`caller_id`);
CREATE INDEX `verified_callers_by_last_call` ON `callers` (`fee_level`,`last_call_at`,`caller_id`) WHERE is_verified = 1;

CREATE TABLE `calls` (
	`id` text PRIMARY KEY NOT NULL,
	`caller_id` text NOT NULL,
	`token_mint` text NOT NULL,
	`token_symbol` text NOT NULL,
	`token_name` text NOT NULL,
	`logo_uri` text,
	`entry_price` text NOT NULL,
	`entry_market_cap_usd` integer,
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
	`counted_change` real GENERATED ALWAYS AS (iif(unranked_reason IS NULL, change_percent * (uncounted_gain_reason IS NULL), NULL)) VIRTUAL,
	`automatic_end` text,
	`follower_rule` text,
	`follower_ppm` integer,
	`is_late` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "calls_entry_positive" CHECK(CAST("calls"."entry_price" AS REAL) > 0),
	CONSTRAINT "calls_market_cap_positive" CHECK("calls"."entry_market_cap_usd" > 0),
	CONSTRAINT "calls_end_positive" CHECK("calls"."end_price" IS NULL OR CAST("calls"."end_price" AS REAL) > 0 OR ("calls"."end_price" = '0' AND "calls"."automatic_end" IS 'no_price')),
	CONSTRAINT "calls_only_gains_uncounted" CHECK("calls"."uncounted_gain_reason" IS NULL OR "calls"."change_percent" > 0),
	CONSTRAINT "calls_automatic_end" CHECK("calls"."automatic_end" IS NULL OR "calls"."ended_at" IS NOT NULL),
	CONSTRAINT "calls_end_whole" CHECK(("calls"."end_price" IS NULL) = ("calls"."ended_at" IS NULL) AND ("calls"."end_price" IS NULL) = ("calls"."change_percent" IS NULL)),
	CONSTRAINT "calls_end_after_start" CHECK("calls"."ended_at" IS NULL OR "calls"."ended_at" >= "calls"."called_at"),
	CONSTRAINT "calls_follower_result" CHECK(iif("calls"."follower_rule" IS NULL, "calls"."follower_ppm" IS NULL, "calls"."ended_at" IS NOT NULL AND ("calls"."follower_ppm" IS NULL) = ("calls"."follower_rule" IN ('gain_without_mark', 'outage'))))
);
CREATE UNIQUE INDEX `calls_one_active_per_mint` ON `calls` (`caller_id`,`token_mint`) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX `calls_one_active_per_symbol` ON `calls` (`caller_id`,"token_symbol" COLLATE NOCASE) WHERE ended_at IS NULL;
CREATE INDEX `calls_active` ON `calls` (`caller_id`,`called_at`) WHERE ended_at IS NULL;
CREATE INDEX `calls_history` ON `calls` (`caller_id`,`ended_at`,`id`) WHERE ended_at IS NOT NULL;
CREATE INDEX `calls_recent` ON `calls` (`ended_at`,`id`) WHERE ended_at IS NOT NULL;
CREATE INDEX `calls_active_mints` ON `calls` (`token_mint`,`called_at`) WHERE ended_at IS NULL;
CREATE INDEX `calls_ended_mints` ON `calls` (`token_mint`,`called_at`) WHERE ended_at IS NOT NULL;
CREATE INDEX `calls_by_age` ON `calls` (`called_at`,`id`) WHERE ended_at IS NULL;
CREATE INDEX `calls_of_caller` ON `calls` (`caller_id`,`called_at`);
CREATE INDEX `calls_by_opening` ON `calls` (`called_at`,`id`);
CREATE INDEX `calls_unrecorded` ON `calls` (`ended_at`,`id`) WHERE ended_at IS NOT NULL AND follower_rule IS NULL;
CREATE INDEX `calls_results` ON `calls` (`caller_id`,`ended_at`,`id`,`token_mint`,`called_at`,`follower_ppm`,`is_late`) WHERE follower_rule IS NOT NULL AND unranked_reason IS NULL;

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
	`volume_24h_usd` real,
	`pool_created_at` integer,
	FOREIGN KEY (`call_id`) REFERENCES `calls`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "price_quotes_said" CHECK(("price_quotes"."price" IS NULL) <> ("price_quotes"."failure" IS NULL))
);
CREATE UNIQUE INDEX `price_quotes_once` ON `price_quotes` (`call_id`,`side`,`source`);
CREATE UNIQUE INDEX `price_quotes_one_recorded` ON `price_quotes` (`call_id`,`side`) WHERE is_recorded = 1;

CREATE TABLE `endpoint_outages` (
	`endpoint` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL,
	`alarmed_at` integer
);

CREATE TABLE `former_handles` (
	`handle` text NOT NULL,
	`user_id` text NOT NULL,
	`until` integer NOT NULL,
	`taken_at` integer,
	PRIMARY KEY(`handle`, `user_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`live_id`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `former_handles_user` ON `former_handles` (`user_id`);

CREATE TABLE `job_failures` (
	`job` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL,
	`at` integer NOT NULL,
	`error` text NOT NULL
);

CREATE TABLE `job_leases` (
	`job` text PRIMARY KEY NOT NULL,
	`holder` text,
	`expires_at` integer DEFAULT 0 NOT NULL,
	`cursor` text
);

CREATE TABLE `log_anchors` (
	`signature` text PRIMARY KEY NOT NULL,
	`size` integer NOT NULL,
	`root` text NOT NULL,
	`signed_bytes` text,
	`last_valid_block_height` integer NOT NULL,
	`created_at` integer NOT NULL,
	`finalized_at` integer,
	`block_time` integer,
	`dead_at` integer,
	CONSTRAINT "log_anchors_block" CHECK(("log_anchors"."block_time" IS NULL) = ("log_anchors"."finalized_at" IS NULL)),
	CONSTRAINT "log_anchors_ended" CHECK("log_anchors"."finalized_at" IS NULL OR "log_anchors"."dead_at" IS NULL),
	CONSTRAINT "log_anchors_sendable" CHECK(("log_anchors"."signed_bytes" IS NULL) = (COALESCE("log_anchors"."finalized_at", "log_anchors"."dead_at") IS NOT NULL))
);
CREATE UNIQUE INDEX `log_anchors_live` ON `log_anchors` (`size`,`created_at`) WHERE dead_at IS NULL;
CREATE UNIQUE INDEX `log_anchors_one_open` ON `log_anchors` ((finalized_at IS NULL)) WHERE finalized_at IS NULL AND dead_at IS NULL;

CREATE TABLE `log_cosignatures` (
	`witness` text NOT NULL,
	`size` integer NOT NULL,
	`line` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`witness`, `size`)
);

CREATE TABLE `log_checkpoints` (
	`size` integer PRIMARY KEY NOT NULL,
	`previous_size` integer NOT NULL,
	`root` text NOT NULL,
	`note` text NOT NULL,
	`at` integer NOT NULL
);

CREATE TABLE `log_entries` (
	`id` integer PRIMARY KEY NOT NULL,
	`caller_id` text,
	`number` integer,
	`kind` text NOT NULL,
	`call_id` text,
	`subject_id` text NOT NULL,
	`content` text NOT NULL,
	`salt` text,
	`text_salt` text,
	`text` text,
	`at` integer NOT NULL,
	CONSTRAINT "log_entries_json" CHECK(json_valid("log_entries"."content")),
	CONSTRAINT "log_entries_keys" CHECK(("log_entries"."caller_id" IS NULL) = ("log_entries"."kind" = 'keys') AND ("log_entries"."caller_id" IS NULL) = ("log_entries"."number" IS NULL))
);
CREATE UNIQUE INDEX `log_entries_chain` ON `log_entries` (`caller_id`,`number`) WHERE caller_id IS NOT NULL;
CREATE INDEX `log_entries_of_call` ON `log_entries` (`caller_id`,`call_id`) WHERE caller_id IS NOT NULL;
CREATE INDEX `log_entries_of_keys` ON `log_entries` (`id`) WHERE kind = 'keys';

CREATE TABLE `log_tiles` (
	`level` integer NOT NULL,
	`n` integer NOT NULL,
	`data` text NOT NULL,
	PRIMARY KEY(`level`, `n`)
);

CREATE TABLE `payout_changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`caller_id` text NOT NULL,
	`old_address` text,
	`new_address` text,
	`at` integer NOT NULL,
	`queued_at` integer,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `payout_changes_caller` ON `payout_changes` (`caller_id`,`at`);
CREATE INDEX `payout_changes_unsent` ON `payout_changes` (`at`) WHERE queued_at IS NULL;

CREATE TABLE `renewal_notices` (
	`subscriber_id` text NOT NULL,
	`caller_id` text NOT NULL,
	`ends_at` integer NOT NULL,
	`days` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`subscriber_id`, `caller_id`, `ends_at`, `days`),
	FOREIGN KEY (`subscriber_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE TABLE `call_events` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`call_id` text NOT NULL,
	`caller_id` text NOT NULL,
	`update_id` text,
	`level` text,
	`price` text,
	`at` integer NOT NULL,
	`queued_at` integer,
	`recipients` integer DEFAULT 0 NOT NULL,
	`delivered` integer DEFAULT 0 NOT NULL,
	`unreachable` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`call_id`) REFERENCES `calls`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`update_id`) REFERENCES `call_updates`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "call_events_level" CHECK(("call_events"."kind" = 'level_hit') = ("call_events"."level" IS NOT NULL)),
	CONSTRAINT "call_events_price" CHECK(("call_events"."kind" = 'level_hit') = ("call_events"."price" IS NOT NULL)),
	CONSTRAINT "call_events_update" CHECK(("call_events"."kind" = 'call_update') = ("call_events"."update_id" IS NOT NULL))
);
CREATE INDEX `call_events_caller` ON `call_events` (`caller_id`,`at`,`id`);
CREATE INDEX `call_events_unsent` ON `call_events` (`at`) WHERE queued_at IS NULL;

CREATE TABLE `failed_deliveries` (
	`event_id` text PRIMARY KEY NOT NULL,
	`id` text DEFAULT (lower(hex(randomblob(16)))) NOT NULL,
	`messages` integer NOT NULL,
	`error` text NOT NULL,
	`at` integer NOT NULL,
	`resolved_at` integer,
	`resend_at` integer
);
CREATE UNIQUE INDEX `failed_deliveries_id` ON `failed_deliveries` (`id`);
CREATE INDEX `failed_deliveries_open` ON `failed_deliveries` (`at`) WHERE resolved_at IS NULL;
CREATE INDEX `failed_deliveries_to_resend` ON `failed_deliveries` (`resend_at`) WHERE resend_at IS NOT NULL;

CREATE TABLE `notification_mutes` (
	`user_id` text NOT NULL,
	`caller_id` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `caller_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`live_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE TABLE `notification_opt_outs` (
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	PRIMARY KEY(`user_id`, `kind`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`live_id`) ON UPDATE no action ON DELETE no action
);

CREATE TABLE `payment_notices` (
	`payment_id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`queued_at` integer,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `payment_notices_unsent` ON `payment_notices` (`at`) WHERE queued_at IS NULL;

CREATE TABLE `call_notes` (
	`call_id` text PRIMARY KEY NOT NULL,
	`text` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`call_id`) REFERENCES `calls`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE TABLE `hidden_texts` (
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`kind`, `subject_id`)
);

CREATE TABLE `operator_audit` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`at` integer NOT NULL,
	`operator_x_id` text NOT NULL,
	`action` text NOT NULL,
	`subject_id` text NOT NULL,
	`reason` text NOT NULL,
	`kind` text
);
CREATE UNIQUE INDEX `operator_audit_id` ON `operator_audit` (`id`);
CREATE INDEX `operator_audit_subject` ON `operator_audit` (`subject_id`,`seq`);

CREATE TABLE `pauses` (
	`kind` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`at` integer NOT NULL
);

CREATE TABLE `ledger_checks` (
	`day` text PRIMARY KEY NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`problem_count` integer,
	`problems` text,
	`dust_transfers` integer DEFAULT 0 NOT NULL,
	`dust_lamports` integer DEFAULT 0 NOT NULL
);

CREATE TABLE `payment_ledger` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`payment_id` text NOT NULL,
	`kind` text NOT NULL,
	`slot` integer,
	`starts_at` integer,
	`ends_at` integer,
	`at` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_ledger_period" CHECK(("payment_ledger"."kind" = 'refunded' OR ("payment_ledger"."kind" IN ('granted', 'moved')) = ("payment_ledger"."starts_at" IS NOT NULL)) AND ("payment_ledger"."starts_at" IS NULL) = ("payment_ledger"."ends_at" IS NULL)),
	CONSTRAINT "payment_ledger_forward" CHECK("payment_ledger"."ends_at" IS NULL OR "payment_ledger"."ends_at" > "payment_ledger"."starts_at"),
	CONSTRAINT "payment_ledger_slot" CHECK(("payment_ledger"."kind" IN ('granted', 'finalized')) = ("payment_ledger"."slot" IS NOT NULL))
);
CREATE UNIQUE INDEX `payment_ledger_id` ON `payment_ledger` (`id`);
CREATE INDEX `payment_ledger_payment` ON `payment_ledger` (`payment_id`,`seq`);

CREATE TABLE `payment_orphans` (
	`signature` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`intent_id` text,
	`user_id` text,
	`payer_address` text NOT NULL,
	`caller_parts` text DEFAULT '[]' NOT NULL,
	`platform_lamports` integer NOT NULL,
	`slot` integer NOT NULL,
	`paid_at` integer NOT NULL,
	`found_at` integer NOT NULL,
	`resolved_at` integer,
	`note` text,
	FOREIGN KEY (`intent_id`) REFERENCES `payment_intents`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `payment_orphans_open` ON `payment_orphans` (`found_at`) WHERE resolved_at IS NULL;
CREATE INDEX `payment_orphans_user` ON `payment_orphans` (`user_id`) WHERE user_id IS NOT NULL;

CREATE TABLE `refunds` (
	`reference` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`opened_at` integer NOT NULL,
	`next_search_at` integer,
	`sent_signature` text,
	`sent_at` integer,
	`signature` text,
	`lamports` integer,
	`slot` integer,
	`paid_at` integer,
	`at` integer,
	`queued_at` integer,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "refunds_found" CHECK(("refunds"."signature" IS NULL) = ("refunds"."lamports" IS NULL) AND ("refunds"."signature" IS NULL) = ("refunds"."slot" IS NULL)
        AND ("refunds"."signature" IS NULL) = ("refunds"."paid_at" IS NULL) AND ("refunds"."signature" IS NULL) = ("refunds"."at" IS NULL)),
	CONSTRAINT "refunds_amount" CHECK("refunds"."lamports" > 0),
	CONSTRAINT "refunds_searched" CHECK("refunds"."signature" IS NULL OR "refunds"."next_search_at" IS NULL)
);
CREATE INDEX `refunds_payment` ON `refunds` (`payment_id`);
CREATE UNIQUE INDEX `refunds_one_open` ON `refunds` (`payment_id`) WHERE signature IS NULL;
CREATE UNIQUE INDEX `refunds_signature` ON `refunds` (`signature`);
CREATE INDEX `refunds_unsent` ON `refunds` (`at`) WHERE queued_at IS NULL;
CREATE INDEX `refunds_due` ON `refunds` (`next_search_at`) WHERE next_search_at IS NOT NULL;

CREATE TABLE `payment_broadcasts` (
	`signature` text PRIMARY KEY NOT NULL,
	`intent_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_valid_block_height` integer,
	`tries` integer DEFAULT 1 NOT NULL,
	`dead_at` integer,
	`landed_at` integer,
	`signed_bytes` text,
	`next_send_at` integer,
	FOREIGN KEY (`intent_id`) REFERENCES `payment_intents`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `payment_broadcasts_intent` ON `payment_broadcasts` (`intent_id`);
CREATE INDEX `payment_broadcasts_open` ON `payment_broadcasts` (`created_at`,`signature`) WHERE dead_at IS NULL AND landed_at IS NULL;
CREATE INDEX `payment_broadcasts_due` ON `payment_broadcasts` (`next_send_at`) WHERE next_send_at IS NOT NULL;

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
	`priority_reads` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_intents_split" CHECK("payment_intents"."caller_lamports" + "payment_intents"."platform_lamports" = "payment_intents"."total_lamports"),
	CONSTRAINT "payment_intents_amounts" CHECK("payment_intents"."caller_lamports" > 0 AND "payment_intents"."platform_lamports" >= 0),
	CONSTRAINT "payment_intents_not_self" CHECK("payment_intents"."user_id" <> "payment_intents"."caller_id")
);
CREATE UNIQUE INDEX `payment_intents_reference` ON `payment_intents` (`reference`);
CREATE INDEX `payment_intents_user` ON `payment_intents` (`user_id`,`created_at`);

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
CREATE UNIQUE INDEX `payments_signature` ON `payments` (`signature`);
CREATE INDEX `payments_intent` ON `payments` (`intent_id`);
CREATE INDEX `payments_created` ON `payments` (`created_at`,`id`);
CREATE INDEX `payments_caller` ON `payments` (`caller_id`,`created_at`,`id`);
CREATE INDEX `payments_user` ON `payments` (`user_id`,`created_at`,`id`);

CREATE TABLE `unread_transactions` (
	`id` integer PRIMARY KEY NOT NULL,
	`due_at` integer,
	`slot` integer NOT NULL,
	`entries` text NOT NULL,
	`has_priority` integer NOT NULL
);
CREATE INDEX `unread_transactions_due` ON `unread_transactions` (`due_at`,`slot`);
CREATE INDEX `unread_transactions_priority` ON `unread_transactions` (`due_at`,`slot`) WHERE has_priority = 1;

CREATE TABLE `price_marks` (
	`call_id` text NOT NULL,
	`side` text NOT NULL,
	`price` text,
	`liquidity_usd` real,
	`sol_price_usd` text,
	`source` text,
	`seen_at` integer NOT NULL,
	PRIMARY KEY(`call_id`, `side`),
	FOREIGN KEY (`call_id`) REFERENCES `calls`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "price_marks_seen" CHECK(("price_marks"."price" IS NULL) = ("price_marks"."source" IS NULL) AND ("price_marks"."price" IS NOT NULL OR "price_marks"."sol_price_usd" IS NOT NULL))
) WITHOUT ROWID;

CREATE TABLE `active_mints` (
	`mint` text PRIMARY KEY NOT NULL,
	`shard` integer GENERATED ALWAYS AS ((coalesce(unicode(substr(mint, 5, 1)), 0) * 27512614111 + coalesce(unicode(substr(mint, 6, 1)), 0) * 887503681 + coalesce(unicode(substr(mint, 7, 1)), 0) * 28629151 + coalesce(unicode(substr(mint, 8, 1)), 0) * 923521 + coalesce(unicode(substr(mint, 9, 1)), 0) * 29791 + coalesce(unicode(substr(mint, 10, 1)), 0) * 961 + coalesce(unicode(substr(mint, 11, 1)), 0) * 31 + coalesce(unicode(substr(mint, 12, 1)), 0) * 1) % 16) VIRTUAL NOT NULL
);
CREATE INDEX `active_mints_by_shard` ON `active_mints` (`shard`,`mint`);

CREATE TABLE `level_checks` (
	`mint` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`due_at` integer NOT NULL
);
CREATE INDEX `level_checks_due` ON `level_checks` (`due_at`,`mint`);
CREATE INDEX `level_checks_seen` ON `level_checks` (`seen_at`);

CREATE TABLE `price_closes` (
	`mint` text NOT NULL,
	`at` integer NOT NULL,
	`price` text NOT NULL,
	PRIMARY KEY(`mint`, `at`)
) WITHOUT ROWID;
CREATE INDEX `price_closes_by_time` ON `price_closes` (`at`);

CREATE TABLE `price_shards` (
	`shard` integer PRIMARY KEY NOT NULL,
	`refreshed_at` integer NOT NULL,
	`written_at` integer DEFAULT 0 NOT NULL
);

CREATE TABLE `unpriced_mints` (
	`mint` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL
);
CREATE INDEX `unpriced_mints_by_time` ON `unpriced_mints` (`since`,`mint`);

CREATE TABLE `push_devices` (
	`session_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`endpoint` text NOT NULL,
	`p256dh` text NOT NULL,
	`auth` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`session_hash`) REFERENCES `sessions`(`token_hash`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`live_id`) ON UPDATE no action ON DELETE no action
);
CREATE UNIQUE INDEX `push_devices_endpoint` ON `push_devices` (`endpoint`);
CREATE INDEX `push_devices_user` ON `push_devices` (`user_id`);

CREATE TABLE `reports` (
	`id` text PRIMARY KEY NOT NULL,
	`reporter_id` text NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`caller_id` text NOT NULL,
	`reason` text NOT NULL,
	`text` text,
	`at` integer NOT NULL,
	`resolved_at` integer,
	FOREIGN KEY (`reporter_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE UNIQUE INDEX `reports_one_open` ON `reports` (`kind`,`subject_id`,`reporter_id`) WHERE resolved_at IS NULL;
CREATE INDEX `reports_open_of_subject` ON `reports` (`kind`,`subject_id`,`at`) WHERE resolved_at IS NULL;
CREATE INDEX `reports_open` ON `reports` (`at`) WHERE resolved_at IS NULL;
CREATE INDEX `reports_of_reporter` ON `reports` (`reporter_id`,`at`);

CREATE TABLE `devices` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`token_hash` text NOT NULL,
	`label` text NOT NULL,
	`at` integer NOT NULL,
	`last_sign_in_at` integer NOT NULL,
	`queued_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`live_id`) ON UPDATE no action ON DELETE no action
);
CREATE UNIQUE INDEX `devices_user_token` ON `devices` (`user_id`,`token_hash`);
CREATE INDEX `devices_last_sign_in` ON `devices` (`last_sign_in_at`);
CREATE INDEX `devices_unsent` ON `devices` (`at`) WHERE queued_at IS NULL;

CREATE TABLE `sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`last_used_at` integer DEFAULT 0 NOT NULL,
	`device_hash` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`live_id`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);
CREATE INDEX `sessions_expires` ON `sessions` (`expires_at`);

CREATE TABLE `silent_days` (
	`caller_id` text NOT NULL,
	`number` integer NOT NULL,
	`at` integer NOT NULL,
	`since` integer NOT NULL,
	`day_of_silence` integer NOT NULL,
	`queued_at` integer,
	PRIMARY KEY(`caller_id`, `number`),
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "silent_days_midnight" CHECK(at % 86400000 = 0),
	CONSTRAINT "silent_days_in_a_row" CHECK(day_of_silence BETWEEN 1 AND 30)
);
CREATE INDEX `silent_days_at` ON `silent_days` (`caller_id`,`at`,`number`);
CREATE INDEX `silent_days_moves` ON `silent_days` (`caller_id`,(at - number * 86400000),`number`);
CREATE INDEX `silent_days_unsent` ON `silent_days` (`at`) WHERE queued_at IS NULL AND day_of_silence = 1;

CREATE TABLE `fee_changes` (
	`caller_id` text PRIMARY KEY NOT NULL,
	`freed_at` integer,
	`last_freed_at` integer,
	`charged_at` integer,
	`after_id` text DEFAULT '' NOT NULL,
	`until_id` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`subscriber_id` text NOT NULL,
	`caller_id` text NOT NULL,
	`payment_id` text,
	`starts_at` integer NOT NULL,
	`ends_at` integer,
	`moves_from` integer,
	`extended_to` integer,
	`known_end` integer GENERATED ALWAYS AS (COALESCE(extended_to, ends_at)) VIRTUAL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`finalized_at` integer,
	FOREIGN KEY (`subscriber_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "subscriptions_paid_ends" CHECK("subscriptions"."payment_id" IS NULL OR "subscriptions"."ends_at" IS NOT NULL),
	CONSTRAINT "subscriptions_forward" CHECK("subscriptions"."ends_at" IS NULL OR "subscriptions"."ends_at" > "subscriptions"."starts_at"),
	CONSTRAINT "subscriptions_not_self" CHECK("subscriptions"."subscriber_id" <> "subscriptions"."caller_id")
);
CREATE UNIQUE INDEX `subscriptions_payment` ON `subscriptions` (`payment_id`);
CREATE UNIQUE INDEX `subscriptions_one_open_grant` ON `subscriptions` (`subscriber_id`,`caller_id`) WHERE ends_at IS NULL;
CREATE INDEX `subscriptions_pair` ON `subscriptions` (`subscriber_id`,`caller_id`,`starts_at`);
CREATE INDEX `subscriptions_paid_until` ON `subscriptions` (`caller_id`,`status`,`ends_at`) WHERE payment_id IS NOT NULL AND status = 'active';
CREATE INDEX `subscriptions_unfinalized` ON `subscriptions` (`created_at`,`id`) WHERE payment_id IS NOT NULL AND finalized_at IS NULL;
CREATE INDEX `subscriptions_caller` ON `subscriptions` (`caller_id`,`status`,`subscriber_id`);
CREATE INDEX `subscriptions_newest` ON `subscriptions` (`caller_id`,`created_at`,`id`);
CREATE INDEX `subscriptions_lapsing` ON `subscriptions` (`known_end`,`id`) WHERE status = 'active';

CREATE TABLE `telegram_links` (
	`user_id` text PRIMARY KEY NOT NULL,
	`handle` text NOT NULL,
	`chat_id` text,
	`start_nonce_hash` text,
	`start_nonce_expires_at` integer,
	`connected_at` integer,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`live_id`) ON UPDATE no action ON DELETE no action
);
CREATE UNIQUE INDEX `telegram_links_chat` ON `telegram_links` (`chat_id`);
CREATE UNIQUE INDEX `telegram_links_nonce` ON `telegram_links` (`start_nonce_hash`);

CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`x_user_id` text NOT NULL,
	`x_id_hash` text,
	`twitter_handle` text NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`email` text,
	`profile_image_url` text,
	`bio` text,
	`is_verified` integer DEFAULT false NOT NULL,
	`is_suspended` integer DEFAULT false NOT NULL,
	`is_hidden` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	`left_at` integer,
	`live_id` text GENERATED ALWAYS AS (iif(deleted_at IS NULL, id, NULL)) VIRTUAL,
	`erased_to` integer DEFAULT 0 NOT NULL,
	`erased_at` integer
);
CREATE INDEX `users_to_erase` ON `users` (`id`) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;
CREATE UNIQUE INDEX `users_live` ON `users` (`live_id`);
CREATE UNIQUE INDEX `users_x_user_id` ON `users` (`x_user_id`);
CREATE UNIQUE INDEX `users_x_id_hash` ON `users` (`x_id_hash`);
CREATE UNIQUE INDEX `users_twitter_handle` ON `users` ("twitter_handle" COLLATE NOCASE);
CREATE INDEX `users_hidden` ON `users` (`id`) WHERE is_hidden = 1;

CREATE TABLE `wallet_challenges` (
	`nonce` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`address` text NOT NULL,
	`message` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`live_id`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `wallet_challenges_user` ON `wallet_challenges` (`user_id`,`address`);
CREATE INDEX `wallet_challenges_expires` ON `wallet_challenges` (`expires_at`);

CREATE TABLE `wallets` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`address` text NOT NULL,
	`proven_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`live_id`) ON UPDATE no action ON DELETE no action
);
CREATE UNIQUE INDEX `wallets_user_address` ON `wallets` (`user_id`,`address`);
CREATE INDEX `wallets_by_address` ON `wallets` (`address`);

CREATE TABLE `webhooks` (
	`user_id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`secret_ciphertext` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`live_id`) ON UPDATE no action ON DELETE no action
);

CREATE TABLE `x_tokens` (
	`user_id` text PRIMARY KEY NOT NULL,
	`access_token_ciphertext` text NOT NULL,
	`refresh_token_ciphertext` text,
	`scopes` text NOT NULL,
	`expires_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`live_id`) ON UPDATE no action ON DELETE no action
);
CREATE VIEW `periods` AS 
  SELECT s.id, s.subscriber_id, s.caller_id, s.payment_id, s.status, s.created_at, s.moves_from,
    s.ends_at AS written_end,
    CASE WHEN s.starts_at > s.moves_from THEN s.starts_at + 86400000 * MAX(0, COALESCE((
      SELECT number FROM silent_days
      WHERE caller_id = s.caller_id AND (at - number * 86400000) < s.starts_at - (s.days_before + 1) * 86400000
      ORDER BY (at - number * 86400000) DESC, number DESC
      LIMIT 1), 0) - s.days_before) ELSE s.starts_at END AS starts_at,
    CASE WHEN s.ends_at IS NULL THEN (
      SELECT charged_at + 2592000000 FROM fee_changes WHERE caller_id = s.caller_id) ELSE CASE WHEN s.ends_at > s.moves_from THEN s.ends_at + 86400000 * MAX(0, COALESCE((
      SELECT number FROM silent_days
      WHERE caller_id = s.caller_id AND (at - number * 86400000) < s.ends_at - (s.days_before + 1) * 86400000
      ORDER BY (at - number * 86400000) DESC, number DESC
      LIMIT 1), 0) - s.days_before) ELSE s.ends_at END END AS ends_at
  FROM (SELECT *, COALESCE((
      SELECT number FROM silent_days WHERE caller_id = s.caller_id AND at < s.moves_from ORDER BY at DESC LIMIT 1), 0) AS days_before FROM subscriptions s) s;

-- Search and triggers, written by hand.
--
-- Most triggers refuse changes. Derived values, such as sums, are written by the batch that changes their rows.
-- INSERT OR REPLACE deletes rows without running triggers on DELETE. dev/lint/replacing-sql.test.ts keeps it out of
-- the product, and for calls, prices and money, a trigger on INSERT refuses it, too.

-- One document per caller (worker/modules/market/callers/caller-search.ts). It has a token for each run of one to three characters of the search text, one for the fee level, and one for the badge.
CREATE VIRTUAL TABLE callers_search USING fts5(tokens, tokenize = 'ascii', detail = 'none', content = '', contentless_delete = 1);

-- Accounts

-- A deleted account changes only when its X account signs in again: once all texts are erased, it opens as empty as it is, with its suspension.
-- Tables with personal data reference users.live_id, so they have no rows of a deleted account.
CREATE TRIGGER users_deleted_stay BEFORE UPDATE OF id, x_user_id, x_id_hash, twitter_handle, first_name, last_name, email, profile_image_url, bio, is_verified, is_suspended, created_at, deleted_at, left_at ON users
WHEN OLD.deleted_at IS NOT NULL AND NOT (
  OLD.x_id_hash IS NOT NULL AND OLD.erased_at IS NOT NULL AND NEW.deleted_at IS NULL AND NEW.erased_at IS NULL
  AND (NEW.id, NEW.x_id_hash, NEW.twitter_handle, NEW.first_name, NEW.last_name, NEW.email, NEW.profile_image_url, NEW.bio, NEW.is_verified, NEW.is_suspended, NEW.is_hidden, NEW.created_at, NEW.left_at)
    IS (OLD.id, OLD.x_id_hash, OLD.twitter_handle, OLD.first_name, OLD.last_name, OLD.email, OLD.profile_image_url, OLD.bio, OLD.is_verified, OLD.is_suspended, OLD.is_hidden, OLD.created_at, OLD.left_at))
BEGIN SELECT RAISE(IGNORE); END;

CREATE TRIGGER acceptances_update BEFORE UPDATE ON acceptances
BEGIN SELECT RAISE(ABORT, 'acceptances are append-only'); END;

CREATE TRIGGER acceptances_delete BEFORE DELETE ON acceptances
BEGIN SELECT RAISE(ABORT, 'acceptances are append-only'); END;

-- Calls: published fields never change, except that the texts of deleted accounts are erased. Calls cannot be deleted, because
-- quotes and holdings reference them and cannot be deleted.

CREATE TRIGGER calls_insert BEFORE INSERT ON calls
BEGIN
  SELECT RAISE(ABORT, 'calls are never written over') WHERE EXISTS (SELECT 1 FROM calls WHERE id = NEW.id);
  SELECT RAISE(IGNORE) WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.caller_id AND deleted_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM callers WHERE caller_id = NEW.caller_id AND deletes_at IS NOT NULL);
END;

CREATE TRIGGER calls_update BEFORE UPDATE ON calls
BEGIN
  SELECT RAISE(ABORT, 'what a call was published with is never changed')
  WHERE (NEW.id, NEW.caller_id, NEW.token_mint, NEW.token_symbol, NEW.token_name, NEW.logo_uri, NEW.entry_price, NEW.entry_market_cap_usd, NEW.called_at, NEW.target_price, NEW.stop_price, NEW.is_paid_promotion, NEW.unranked_reason)
      IS NOT (OLD.id, OLD.caller_id, OLD.token_mint, OLD.token_symbol, OLD.token_name, OLD.logo_uri, OLD.entry_price, OLD.entry_market_cap_usd, OLD.called_at, OLD.target_price, OLD.stop_price, OLD.is_paid_promotion, OLD.unranked_reason)
    OR (NEW.thesis IS NOT OLD.thesis AND (
      NEW.thesis IS NOT NULL
      OR NOT EXISTS (SELECT 1 FROM users WHERE id = OLD.caller_id AND deleted_at IS NOT NULL)));
  SELECT RAISE(ABORT, 'an ended call is never changed')
  WHERE OLD.ended_at IS NOT NULL
    AND (NEW.end_price, NEW.ended_at, NEW.change_percent, NEW.peak_price, NEW.peak_at, NEW.uncounted_gain_reason, NEW.automatic_end)
      IS NOT (OLD.end_price, OLD.ended_at, OLD.change_percent, OLD.peak_price, OLD.peak_at, OLD.uncounted_gain_reason, OLD.automatic_end);
  SELECT RAISE(ABORT, 'a follower result is written once')
  WHERE OLD.follower_rule IS NOT NULL
    AND (NEW.follower_rule, NEW.follower_ppm) IS NOT (OLD.follower_rule, OLD.follower_ppm);
  SELECT RAISE(ABORT, 'the peak of a call never falls')
  WHERE OLD.peak_price IS NOT NULL
    AND (NEW.peak_price IS NULL OR CAST(NEW.peak_price AS REAL) < CAST(OLD.peak_price AS REAL));
  SELECT RAISE(ABORT, 'a late call stays late')
  WHERE OLD.is_late = 1 AND NEW.is_late = 0;
END;

CREATE TRIGGER price_quotes_insert BEFORE INSERT ON price_quotes
WHEN EXISTS (SELECT 1 FROM price_quotes WHERE call_id = NEW.call_id AND side = NEW.side AND (source = NEW.source OR (is_recorded = 1 AND NEW.is_recorded = 1)))
BEGIN SELECT RAISE(ABORT, 'UNIQUE constraint failed: quotes are never written over'); END;

CREATE TRIGGER price_quotes_update BEFORE UPDATE ON price_quotes
BEGIN SELECT RAISE(ABORT, 'quotes are never changed'); END;

CREATE TRIGGER price_quotes_delete BEFORE DELETE ON price_quotes
BEGIN SELECT RAISE(ABORT, 'quotes are never deleted'); END;

CREATE TRIGGER call_updates_insert BEFORE INSERT ON call_updates
BEGIN
  SELECT RAISE(ABORT, 'updates are never written over') WHERE EXISTS (SELECT 1 FROM call_updates WHERE id = NEW.id);
  SELECT RAISE(IGNORE) WHERE EXISTS (
    SELECT 1 FROM calls k JOIN users u ON u.id = k.caller_id WHERE k.id = NEW.call_id AND u.deleted_at IS NOT NULL);
END;

CREATE TRIGGER call_updates_update BEFORE UPDATE ON call_updates
WHEN (NEW.id, NEW.call_id, NEW.message, NEW.created_at) IS NOT (OLD.id, OLD.call_id, '', OLD.created_at)
  OR NOT EXISTS (
    SELECT 1 FROM calls k JOIN users u ON u.id = k.caller_id
    WHERE k.id = OLD.call_id AND u.deleted_at IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'updates are never changed'); END;

CREATE TRIGGER call_updates_delete BEFORE DELETE ON call_updates
BEGIN SELECT RAISE(ABORT, 'updates are never deleted'); END;

-- Holdings cannot change once the last reading has emptied the list of wallets.
CREATE TRIGGER call_holdings_update BEFORE UPDATE ON call_holdings
WHEN OLD.wallets = '[]' AND OLD.read_until >= (SELECT ended_at FROM calls WHERE id = OLD.call_id)
BEGIN SELECT RAISE(ABORT, 'what a caller held and sold is never changed'); END;

CREATE TRIGGER call_holdings_delete BEFORE DELETE ON call_holdings
BEGIN SELECT RAISE(ABORT, 'what a caller held and sold is never deleted'); END;

-- A recorded price is never replaced: a second one is ignored, even with INSERT OR REPLACE.
CREATE TRIGGER price_marks_insert BEFORE INSERT ON price_marks
WHEN EXISTS (SELECT 1 FROM price_marks WHERE call_id = NEW.call_id AND side = NEW.side AND price IS NOT NULL)
BEGIN SELECT RAISE(IGNORE); END;

CREATE TRIGGER price_marks_update BEFORE UPDATE ON price_marks
WHEN OLD.price IS NOT NULL OR (NEW.call_id, NEW.side) IS NOT (OLD.call_id, OLD.side)
BEGIN SELECT RAISE(ABORT, 'marks are never changed'); END;

CREATE TRIGGER price_marks_delete BEFORE DELETE ON price_marks
BEGIN SELECT RAISE(ABORT, 'marks are never deleted'); END;

-- The event of a hit level is never changed or deleted.
CREATE TRIGGER level_hits_no_update BEFORE UPDATE OF id, kind, call_id, caller_id, update_id, level, price, at ON call_events
WHEN OLD.kind = 'level_hit' OR NEW.kind = 'level_hit'
BEGIN SELECT RAISE(ABORT, 'a hit level is never changed'); END;

CREATE TRIGGER level_hits_no_delete BEFORE DELETE ON call_events WHEN OLD.kind = 'level_hit'
BEGIN SELECT RAISE(ABORT, 'a hit level is never deleted'); END;

-- Payments and the ledger of paid periods

-- The day of a deletion is fixed at its request. The request can only be taken back.
CREATE TRIGGER callers_deletes_at BEFORE UPDATE OF deletes_at ON callers
WHEN OLD.deletes_at IS NOT NULL AND NEW.deletes_at IS NOT NULL AND NEW.deletes_at <> OLD.deletes_at
BEGIN SELECT RAISE(ABORT, 'the day of a deletion is fixed at its request'); END;

-- A payout wallet can change only if payout_changes has recorded the change.
CREATE TRIGGER callers_payout_update BEFORE UPDATE OF payout_address ON callers
WHEN NEW.payout_address IS NOT OLD.payout_address AND NOT EXISTS (
  SELECT 1 FROM payout_changes
  WHERE seq = (SELECT MAX(seq) FROM payout_changes WHERE caller_id = NEW.caller_id)
    AND (old_address, new_address) IS (OLD.payout_address, NEW.payout_address))
BEGIN SELECT RAISE(ABORT, 'a change of a payout wallet is recorded first'); END;

CREATE TRIGGER payout_changes_update BEFORE UPDATE OF seq, caller_id, old_address, new_address, at ON payout_changes
BEGIN SELECT RAISE(ABORT, 'changes of a payout wallet are never changed'); END;

CREATE TRIGGER payout_changes_delete BEFORE DELETE ON payout_changes
BEGIN SELECT RAISE(ABORT, 'changes of a payout wallet are never deleted'); END;

CREATE TRIGGER payment_intents_insert BEFORE INSERT ON payment_intents
BEGIN
  SELECT RAISE(ABORT, 'intents are never written again')
  WHERE EXISTS (SELECT 1 FROM payment_intents WHERE id = NEW.id OR reference = NEW.reference);
  SELECT RAISE(IGNORE)
  WHERE EXISTS (SELECT 1 FROM users WHERE id IN (NEW.user_id, NEW.caller_id) AND deleted_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM callers WHERE caller_id = NEW.caller_id AND deletes_at IS NOT NULL);
END;

CREATE TRIGGER payment_intents_update BEFORE UPDATE OF id, user_id, caller_id, reference, caller_address, platform_address, total_lamports, caller_lamports, platform_lamports, created_at, expires_at ON payment_intents
BEGIN SELECT RAISE(ABORT, 'the terms of an intent are never changed'); END;

CREATE TRIGGER payment_intents_delete BEFORE DELETE ON payment_intents
BEGIN SELECT RAISE(ABORT, 'intents are never deleted'); END;

CREATE TRIGGER payment_broadcasts_delete BEFORE DELETE ON payment_broadcasts
BEGIN SELECT RAISE(ABORT, 'what was sent is never forgotten'); END;

CREATE TRIGGER payment_orphans_delete BEFORE DELETE ON payment_orphans
BEGIN SELECT RAISE(ABORT, 'orphans are resolved, never deleted'); END;

-- A second row of the same transaction is ignored. Payments cannot be deleted, because ledger entries reference them and
-- cannot be deleted.
CREATE TRIGGER payments_insert BEFORE INSERT ON payments
WHEN EXISTS (SELECT 1 FROM payments WHERE id = NEW.id OR signature = NEW.signature)
BEGIN SELECT RAISE(IGNORE); END;

CREATE TRIGGER payments_update BEFORE UPDATE ON payments
BEGIN SELECT RAISE(ABORT, 'payments are never changed'); END;

-- A payment is granted, then moved or finalized, and revoked only before it is finalized. Only a revoked one is granted again.
-- Only a finalized one is refunded, by a refund of the whole share, and nothing follows.
CREATE TRIGGER payment_ledger_insert BEFORE INSERT ON payment_ledger
BEGIN
  SELECT RAISE(ABORT, 'the payment ledger is never written over')
  WHERE EXISTS (SELECT 1 FROM payment_ledger WHERE id = NEW.id OR seq = NEW.seq);
  SELECT RAISE(ABORT, 'this line of the payment ledger cannot follow those before it')
  WHERE ((SELECT kind FROM payment_ledger WHERE payment_id = NEW.payment_id AND kind IN ('granted', 'revoked') ORDER BY seq DESC LIMIT 1)
      IS 'granted') IS (NEW.kind = 'granted')
    OR (NEW.kind NOT IN ('granted', 'moved')
      AND EXISTS (SELECT 1 FROM payment_ledger WHERE payment_id = NEW.payment_id AND kind = 'finalized') <> (NEW.kind = 'refunded'))
    OR EXISTS (SELECT 1 FROM payment_ledger WHERE payment_id = NEW.payment_id AND kind = 'refunded');
  SELECT RAISE(ABORT, 'a refund in the payment ledger has a transfer of the whole share')
  WHERE NEW.kind = 'refunded' AND NOT EXISTS (
    SELECT 1 FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE p.id = NEW.payment_id AND r.lamports >= p.caller_lamports);
END;

CREATE TRIGGER payment_ledger_update BEFORE UPDATE ON payment_ledger
BEGIN SELECT RAISE(ABORT, 'the payment ledger is never changed'); END;

CREATE TRIGGER payment_ledger_delete BEFORE DELETE ON payment_ledger
BEGIN SELECT RAISE(ABORT, 'the payment ledger is never deleted from'); END;

-- A payment is no refund. A refund that was found never changes.
CREATE TRIGGER refunds_insert BEFORE INSERT ON refunds
BEGIN
  SELECT RAISE(ABORT, 'refunds are never written over') WHERE EXISTS (SELECT 1 FROM refunds WHERE reference = NEW.reference);
  SELECT RAISE(ABORT, 'a refund is opened before its transfer is found') WHERE NEW.signature IS NOT NULL;
END;

CREATE TRIGGER refunds_update BEFORE UPDATE OF reference, payment_id, opened_at, next_search_at, signature, lamports, slot, paid_at, at ON refunds
BEGIN
  SELECT RAISE(ABORT, 'refunds are never changed')
  WHERE OLD.signature IS NOT NULL OR (NEW.reference, NEW.payment_id) IS NOT (OLD.reference, OLD.payment_id);
  SELECT RAISE(ABORT, 'a payment is never a refund') WHERE EXISTS (SELECT 1 FROM payments WHERE signature = NEW.signature);
END;

CREATE TRIGGER refunds_delete BEFORE DELETE ON refunds
BEGIN SELECT RAISE(ABORT, 'refunds are never deleted'); END;

-- A paid period equals its ledger entry, does not overlap another period of its subscriber and caller, and is finalized and
-- deleted with its payment.
CREATE TRIGGER subscriptions_insert BEFORE INSERT ON subscriptions
BEGIN
  SELECT RAISE(ABORT, 'a paid period is never written over')
  WHERE EXISTS (SELECT 1 FROM subscriptions WHERE payment_id IS NOT NULL AND (id = NEW.id OR payment_id = NEW.payment_id));
  SELECT RAISE(ABORT, 'a paid period is the one in the payment ledger')
  WHERE NEW.payment_id IS NOT NULL AND (NEW.starts_at, NEW.ends_at) IS NOT
    (SELECT starts_at, ends_at FROM payment_ledger WHERE payment_id = NEW.payment_id AND kind <> 'finalized' ORDER BY seq DESC LIMIT 1);
  SELECT RAISE(ABORT, 'periods of a pair never overlap')
  WHERE NEW.payment_id IS NOT NULL AND EXISTS (
    SELECT 1 FROM subscriptions
    WHERE subscriber_id = NEW.subscriber_id AND caller_id = NEW.caller_id AND starts_at < NEW.ends_at AND (ends_at IS NULL OR ends_at > NEW.starts_at));
END;

CREATE TRIGGER subscriptions_update BEFORE UPDATE ON subscriptions
WHEN OLD.payment_id IS NOT NULL OR NEW.payment_id IS NOT NULL OR NEW.finalized_at IS NOT OLD.finalized_at
BEGIN
  SELECT RAISE(ABORT, 'a paid period is the one in the payment ledger')
  WHERE (NEW.id, NEW.subscriber_id, NEW.caller_id, NEW.payment_id, NEW.starts_at, NEW.ends_at)
      IS NOT (OLD.id, OLD.subscriber_id, OLD.caller_id, OLD.payment_id, OLD.starts_at, OLD.ends_at)
    AND ((OLD.id, OLD.subscriber_id, OLD.caller_id, OLD.payment_id) IS NOT (NEW.id, NEW.subscriber_id, NEW.caller_id, NEW.payment_id)
      OR (NEW.starts_at, NEW.ends_at) IS NOT
        (SELECT starts_at, ends_at FROM payment_ledger WHERE payment_id = NEW.payment_id AND kind <> 'finalized' ORDER BY seq DESC LIMIT 1));
  SELECT RAISE(ABORT, 'what is settled stays settled')
  WHERE OLD.finalized_at IS NOT NULL AND NEW.finalized_at IS NOT OLD.finalized_at;
  SELECT RAISE(ABORT, 'a period is settled by its payment')
  WHERE NEW.finalized_at IS NOT OLD.finalized_at AND NEW.finalized_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM payment_ledger WHERE payment_id = NEW.payment_id AND kind = 'finalized');
END;

CREATE TRIGGER subscriptions_delete BEFORE DELETE ON subscriptions
WHEN OLD.payment_id IS NOT NULL AND
  (SELECT starts_at FROM payment_ledger WHERE payment_id = OLD.payment_id AND kind <> 'finalized' ORDER BY seq DESC LIMIT 1) IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a paid period goes only with its payment'); END;

CREATE TRIGGER silent_days_insert BEFORE INSERT ON silent_days
BEGIN
  SELECT RAISE(ABORT, 'silent days of a caller follow each other')
  WHERE NEW.number <> COALESCE((SELECT MAX(number) FROM silent_days WHERE caller_id = NEW.caller_id), 0) + 1
    OR EXISTS (SELECT 1 FROM silent_days WHERE caller_id = NEW.caller_id AND at >= NEW.at);
END;

CREATE TRIGGER silent_days_update BEFORE UPDATE OF caller_id, number, at, since, day_of_silence ON silent_days
BEGIN SELECT RAISE(ABORT, 'silent days are never changed'); END;

CREATE TRIGGER silent_days_delete BEFORE DELETE ON silent_days
BEGIN SELECT RAISE(ABORT, 'silent days are never deleted'); END;

-- Operators

CREATE TRIGGER operator_audit_update BEFORE UPDATE ON operator_audit
BEGIN SELECT RAISE(ABORT, 'the audit of operators is never changed'); END;

CREATE TRIGGER operator_audit_delete BEFORE DELETE ON operator_audit
BEGIN SELECT RAISE(ABORT, 'the audit of operators is never deleted'); END;

CREATE TRIGGER call_notes_insert BEFORE INSERT ON call_notes
WHEN NOT EXISTS (SELECT 1 FROM calls WHERE id = NEW.call_id AND ended_at IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'only ended calls get notes'); END;

-- Public log: entries and checkpoints are only appended. Entries never change, except that the texts of deleted accounts are erased.

CREATE TRIGGER log_entries_insert BEFORE INSERT ON log_entries
WHEN EXISTS (SELECT 1 FROM log_entries WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM log_entries WHERE caller_id = NEW.caller_id AND number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'the log is never written over'); END;

-- The sequencer inserts the row 1, in which the key and the wallet are named.
CREATE TRIGGER log_entries_no_gap AFTER INSERT ON log_entries
WHEN NEW.id < 1 OR (NEW.id = 1 AND NEW.kind <> 'keys')
  OR (NEW.id > 2 AND NOT EXISTS (SELECT 1 FROM log_entries WHERE id = NEW.id - 1))
BEGIN SELECT RAISE(ABORT, 'the log has no gaps'); END;

CREATE TRIGGER log_entries_update BEFORE UPDATE ON log_entries
WHEN (NEW.id, NEW.caller_id, NEW.number, NEW.kind, NEW.call_id, NEW.subject_id, NEW.content, NEW.salt, NEW.at)
    IS NOT (OLD.id, OLD.caller_id, OLD.number, OLD.kind, OLD.call_id, OLD.subject_id, OLD.content, OLD.salt, OLD.at)
  OR NEW.text IS NOT NULL OR NEW.text_salt IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'the log is never changed'); END;

CREATE TRIGGER log_entries_delete BEFORE DELETE ON log_entries
BEGIN SELECT RAISE(ABORT, 'the log is never deleted'); END;

-- If two runs continue the same checkpoint, one of them is refused.
CREATE TRIGGER log_checkpoints_insert BEFORE INSERT ON log_checkpoints
WHEN NEW.size <= NEW.previous_size
  OR NEW.previous_size <> (SELECT COALESCE(MAX(size), 0) FROM log_checkpoints)
BEGIN SELECT RAISE(ABORT, 'a checkpoint follows the newest one'); END;

CREATE TRIGGER log_checkpoints_update BEFORE UPDATE ON log_checkpoints
BEGIN SELECT RAISE(ABORT, 'checkpoints are never changed'); END;

CREATE TRIGGER log_checkpoints_delete BEFORE DELETE ON log_checkpoints
BEGIN SELECT RAISE(ABORT, 'checkpoints are never deleted'); END;

CREATE TRIGGER log_tiles_insert BEFORE INSERT ON log_tiles
WHEN EXISTS (
  SELECT 1 FROM log_tiles
  WHERE level = NEW.level AND n = NEW.n
    AND substr(NEW.data, 1, length(data)) <> data)
BEGIN SELECT RAISE(ABORT, 'tiles only grow'); END;

CREATE TRIGGER log_tiles_update BEFORE UPDATE ON log_tiles
WHEN (NEW.level, NEW.n) IS NOT (OLD.level, OLD.n)
  OR substr(NEW.data, 1, length(OLD.data)) <> OLD.data
BEGIN SELECT RAISE(ABORT, 'tiles only grow'); END;

CREATE TRIGGER log_tiles_delete BEFORE DELETE ON log_tiles
BEGIN SELECT RAISE(ABORT, 'tiles are never deleted'); END;

-- An open anchor can only be finalized or declared dead.
CREATE TRIGGER log_anchors_update BEFORE UPDATE ON log_anchors
WHEN OLD.finalized_at IS NOT NULL OR OLD.dead_at IS NOT NULL
  OR (NEW.signature, NEW.size, NEW.root, NEW.last_valid_block_height, NEW.created_at)
    IS NOT (OLD.signature, OLD.size, OLD.root, OLD.last_valid_block_height, OLD.created_at)
BEGIN SELECT RAISE(ABORT, 'anchors only end'); END;

CREATE TRIGGER log_anchors_delete BEFORE DELETE ON log_anchors
BEGIN SELECT RAISE(ABORT, 'anchors are never deleted'); END;

CREATE TRIGGER log_cosignatures_update BEFORE UPDATE ON log_cosignatures
BEGIN SELECT RAISE(ABORT, 'cosignatures are never changed'); END;

CREATE TRIGGER log_cosignatures_delete BEFORE DELETE ON log_cosignatures
BEGIN SELECT RAISE(ABORT, 'cosignatures are never deleted'); END;

-- Triggers that write derived values

CREATE VIEW callers_search_documents AS
SELECT
  caller_id,
  search_rank * 1099511627776 + callers.rowid AS id,
  (
    SELECT group_concat(hex(substr(search_text, place.key + 1, run.value)), ' ')
    FROM json_each('[' || rtrim(replace(hex(zeroblob(length(search_text))), '00', '0,'), ',') || ']') place, json_each('[1,2,3]') run
    WHERE place.key + run.value <= length(search_text)) || ' level' || fee_level || iif(is_verified, ' verified', '') AS tokens
FROM callers;

CREATE TRIGGER callers_search_inserted AFTER INSERT ON callers
BEGIN
  INSERT INTO callers_search (rowid, tokens) SELECT id, tokens FROM callers_search_documents WHERE caller_id = NEW.caller_id;
END;

CREATE TRIGGER callers_search_updated AFTER UPDATE OF search_text, fee_lamports, is_verified, proven, avg_return ON callers
WHEN (NEW.search_text, NEW.fee_level, NEW.is_verified, NEW.search_rank) <> (OLD.search_text, OLD.fee_level, OLD.is_verified, OLD.search_rank)
BEGIN
  DELETE FROM callers_search WHERE rowid = OLD.search_rank * 1099511627776 + OLD.rowid;
  INSERT INTO callers_search (rowid, tokens) SELECT id, tokens FROM callers_search_documents WHERE caller_id = NEW.caller_id;
END;
