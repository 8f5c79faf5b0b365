-- compatible: drop index calls_ended_mints: the index that replaces it begins with the same column.
CREATE TABLE `called_tokens` (
	`mint` text PRIMARY KEY NOT NULL,
	`symbol` text NOT NULL,
	`name` text NOT NULL,
	`call_id` text NOT NULL,
	FOREIGN KEY (`call_id`) REFERENCES `calls`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `called_tokens_by_symbol` ON `called_tokens` ("symbol" COLLATE NOCASE);--> statement-breakpoint
CREATE INDEX `called_tokens_by_name` ON `called_tokens` ("name" COLLATE NOCASE);--> statement-breakpoint
DROP INDEX `calls_ended_mints`;--> statement-breakpoint
CREATE INDEX `calls_ended_mints` ON `calls` (`token_mint`,`called_at`) WHERE ended_at IS NOT NULL;--> statement-breakpoint
INSERT INTO `called_tokens` (mint, symbol, name, call_id)
SELECT token_mint, token_symbol, token_name, id FROM calls WHERE ended_at IS NOT NULL
ON CONFLICT DO NOTHING;
--> statement-breakpoint
CREATE TRIGGER calls_add_called_token AFTER UPDATE OF ended_at ON calls WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
BEGIN
  INSERT INTO called_tokens (mint, symbol, name, call_id)
  VALUES (NEW.token_mint, NEW.token_symbol, NEW.token_name, NEW.id)
  ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER calls_insert_called_token AFTER INSERT ON calls WHEN NEW.ended_at IS NOT NULL
BEGIN
  INSERT INTO called_tokens (mint, symbol, name, call_id)
  VALUES (NEW.token_mint, NEW.token_symbol, NEW.token_name, NEW.id)
  ON CONFLICT DO NOTHING;
END;
