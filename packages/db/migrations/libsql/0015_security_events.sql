CREATE TABLE `member_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer NOT NULL,
	`key` text NOT NULL,
	`created_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `member_keys_member_id_unique` ON `member_keys` (`member_id`);
--> statement-breakpoint
CREATE TABLE `security_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer NOT NULL,
	`at_ms` integer NOT NULL,
	`kind` text NOT NULL,
	`outcome` text NOT NULL,
	`address` text,
	`device` text,
	`actor_id` integer,
	`times` integer DEFAULT 1 NOT NULL,
	`merge_key` text
);

--> statement-breakpoint
CREATE INDEX `security_events_member_id_id_index` ON `security_events` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `security_events_at_ms_index` ON `security_events` (`at_ms`);
--> statement-breakpoint
CREATE UNIQUE INDEX `security_events_merge_key_unique` ON `security_events` (`merge_key`);
--> statement-breakpoint
ALTER TABLE `members` ADD `erases_at_ms` integer;
--> statement-breakpoint
ALTER TABLE `members` ADD `erased_at_ms` integer;
--> statement-breakpoint
CREATE INDEX `members_erases_at_ms_index` ON `members` (`erases_at_ms`);
--> statement-breakpoint
ALTER TABLE `memberships` ADD `ended_with_member` integer DEFAULT false NOT NULL;
