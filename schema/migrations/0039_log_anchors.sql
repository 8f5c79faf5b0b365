CREATE TABLE `log_anchors` (
	`signature` text PRIMARY KEY NOT NULL,
	`size` integer NOT NULL,
	`root` text NOT NULL,
	`signed_bytes` text,
	`last_valid_block_height` integer NOT NULL,
	`created_at` integer NOT NULL,
	`settled_at` integer,
	`dead_at` integer,
	CONSTRAINT "log_anchors_ended" CHECK("log_anchors"."settled_at" IS NULL OR "log_anchors"."dead_at" IS NULL),
	CONSTRAINT "log_anchors_sendable" CHECK(("log_anchors"."signed_bytes" IS NULL) = (COALESCE("log_anchors"."settled_at", "log_anchors"."dead_at") IS NOT NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `log_anchors_live` ON `log_anchors` (`size`) WHERE dead_at IS NULL;--> statement-breakpoint
CREATE TABLE `log_cosignatures` (
	`witness` text NOT NULL,
	`size` integer NOT NULL,
	`line` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`witness`, `size`)
);
--> statement-breakpoint
CREATE TRIGGER log_anchors_fixed BEFORE UPDATE ON log_anchors
WHEN OLD.settled_at IS NOT NULL OR OLD.dead_at IS NOT NULL
  OR (NEW.signature, NEW.size, NEW.root, NEW.last_valid_block_height, NEW.created_at)
    IS NOT (OLD.signature, OLD.size, OLD.root, OLD.last_valid_block_height, OLD.created_at)
BEGIN SELECT RAISE(ABORT, 'anchors only end'); END;
--> statement-breakpoint
CREATE TRIGGER log_anchors_stay BEFORE DELETE ON log_anchors
BEGIN SELECT RAISE(ABORT, 'anchors are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER log_cosignatures_fixed BEFORE UPDATE ON log_cosignatures
BEGIN SELECT RAISE(ABORT, 'cosignatures are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER log_cosignatures_stay BEFORE DELETE ON log_cosignatures
BEGIN SELECT RAISE(ABORT, 'cosignatures are never deleted'); END;
