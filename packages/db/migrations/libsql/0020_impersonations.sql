CREATE TABLE `impersonations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`actor_id` integer NOT NULL,
	`actor_epoch` integer NOT NULL,
	`member_id` integer NOT NULL,
	`account_id` integer,
	`reason` text NOT NULL,
	`may_write` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`ended_at_ms` integer,
	`ended_by_id` integer
);

--> statement-breakpoint
CREATE INDEX `impersonations_actor_id_id_index` ON `impersonations` (`actor_id`,`id`);
--> statement-breakpoint
CREATE INDEX `impersonations_member_id_id_index` ON `impersonations` (`member_id`,`id`);
--> statement-breakpoint
ALTER TABLE `members` ADD `impersonation_id` integer;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `impersonation_id` integer;
--> statement-breakpoint
CREATE INDEX `sessions_impersonation_id_index` ON `sessions` (`impersonation_id`);
