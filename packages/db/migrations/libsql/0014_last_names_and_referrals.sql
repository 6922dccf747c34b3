CREATE TABLE `referrals` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer NOT NULL,
	`affiliate_id` integer NOT NULL,
	`created_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `referrals_member_id_unique` ON `referrals` (`member_id`);
--> statement-breakpoint
CREATE INDEX `referrals_affiliate_id_member_id_index` ON `referrals` (`affiliate_id`,`member_id`);
--> statement-breakpoint
ALTER TABLE `members` ADD `last_name_key` text;
--> statement-breakpoint
CREATE INDEX `members_last_name_key_is_deleted_index` ON `members` (`last_name_key`,`is_deleted`);
