CREATE TABLE `log_checkpoints` (
	`size` integer PRIMARY KEY NOT NULL,
	`previous_size` integer NOT NULL,
	`root` text NOT NULL,
	`note` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `log_entries` (
	`id` integer PRIMARY KEY NOT NULL,
	`caller_id` text,
	`kind` text NOT NULL,
	`call_id` text,
	`subject_id` text NOT NULL,
	`content` text NOT NULL,
	`salt` text,
	`text_salt` text,
	`text` text,
	`at` integer NOT NULL,
	CONSTRAINT "log_entries_json" CHECK(json_valid("log_entries"."content")),
	CONSTRAINT "log_entries_maps" CHECK(("log_entries"."caller_id" IS NULL) = ("log_entries"."kind" = 'map'))
);
--> statement-breakpoint
CREATE INDEX `log_entries_of_call` ON `log_entries` (`caller_id`,`call_id`) WHERE caller_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `log_map_leaves` (
	`id` integer PRIMARY KEY NOT NULL,
	`data` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `log_tiles` (
	`kind` text NOT NULL,
	`level` integer NOT NULL,
	`n` integer NOT NULL,
	`data` text NOT NULL,
	PRIMARY KEY(`kind`, `level`, `n`)
);
--> statement-breakpoint
CREATE TRIGGER log_entries_no_gap AFTER INSERT ON log_entries
WHEN NEW.id < 1 OR (NEW.id > 1 AND NOT EXISTS (SELECT 1 FROM log_entries WHERE id = NEW.id - 1))
BEGIN SELECT RAISE(ABORT, 'the log has no gaps'); END;
--> statement-breakpoint
CREATE TRIGGER log_entries_no_replace BEFORE INSERT ON log_entries
WHEN EXISTS (SELECT 1 FROM log_entries WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'the log is never written over'); END;
--> statement-breakpoint
CREATE TRIGGER log_entries_fixed BEFORE UPDATE ON log_entries
WHEN (NEW.id, NEW.caller_id, NEW.kind, NEW.call_id, NEW.subject_id, NEW.content, NEW.salt, NEW.at)
    IS NOT (OLD.id, OLD.caller_id, OLD.kind, OLD.call_id, OLD.subject_id, OLD.content, OLD.salt, OLD.at)
  OR NEW.text IS NOT NULL OR NEW.text_salt IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'the log is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER log_entries_stay BEFORE DELETE ON log_entries
BEGIN SELECT RAISE(ABORT, 'the log is never deleted'); END;
--> statement-breakpoint
-- Of two runs that continue the same checkpoint, one is refused.
CREATE TRIGGER log_checkpoints_follow BEFORE INSERT ON log_checkpoints
WHEN NEW.size <= NEW.previous_size
  OR NEW.previous_size <> (SELECT COALESCE(MAX(size), 0) FROM log_checkpoints)
BEGIN SELECT RAISE(ABORT, 'a checkpoint follows the newest one'); END;
--> statement-breakpoint
CREATE TRIGGER log_checkpoints_fixed BEFORE UPDATE ON log_checkpoints
BEGIN SELECT RAISE(ABORT, 'checkpoints are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER log_checkpoints_stay BEFORE DELETE ON log_checkpoints
BEGIN SELECT RAISE(ABORT, 'checkpoints are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER log_tiles_grow BEFORE UPDATE ON log_tiles
WHEN (NEW.kind, NEW.level, NEW.n) IS NOT (OLD.kind, OLD.level, OLD.n)
  OR (OLD.kind <> 'map' AND substr(NEW.data, 1, length(OLD.data)) <> OLD.data)
BEGIN SELECT RAISE(ABORT, 'tiles only grow'); END;
--> statement-breakpoint
CREATE TRIGGER log_tiles_no_replace BEFORE INSERT ON log_tiles
WHEN NEW.kind <> 'map' AND EXISTS (
  SELECT 1 FROM log_tiles
  WHERE kind = NEW.kind AND level = NEW.level AND n = NEW.n
    AND substr(NEW.data, 1, length(data)) <> data)
BEGIN SELECT RAISE(ABORT, 'tiles only grow'); END;
--> statement-breakpoint
CREATE TRIGGER log_tiles_stay BEFORE DELETE ON log_tiles
BEGIN SELECT RAISE(ABORT, 'tiles are never deleted'); END;
