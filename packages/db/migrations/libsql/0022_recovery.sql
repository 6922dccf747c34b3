CREATE TABLE `recoveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer NOT NULL,
	`open_key` integer,
	`opened_by_id` integer NOT NULL,
	`reason` text NOT NULL,
	`needs_approval` integer NOT NULL,
	`approved_by_id` integer,
	`approved_at_ms` integer,
	`opened_at_ms` integer NOT NULL,
	`effective_at_ms` integer NOT NULL,
	`ticket_digest` text,
	`ticket_expires_at_ms` integer,
	`ticket_used_at_ms` integer,
	`ended_at_ms` integer,
	`ended_by_id` integer,
	`outcome` text
);

--> statement-breakpoint
CREATE UNIQUE INDEX `recoveries_open_key_unique` ON `recoveries` (`open_key`);
--> statement-breakpoint
CREATE INDEX `recoveries_member_id_id_index` ON `recoveries` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `recoveries_opened_by_id_opened_at_ms_index` ON `recoveries` (`opened_by_id`,`opened_at_ms`);
--> statement-breakpoint
CREATE INDEX `recoveries_ended_at_ms_effective_at_ms_index` ON `recoveries` (`ended_at_ms`,`effective_at_ms`);
--> statement-breakpoint
CREATE TABLE `former_addresses` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer NOT NULL,
	`email` text NOT NULL,
	`until_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE INDEX `former_addresses_member_id_until_ms_index` ON `former_addresses` (`member_id`,`until_ms`);
--> statement-breakpoint
CREATE INDEX `former_addresses_until_ms_index` ON `former_addresses` (`until_ms`);
--> statement-breakpoint
ALTER TABLE `members` ADD `password_listed_at_ms` integer;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `recovery_id` integer;
